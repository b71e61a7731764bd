// Runs sets of models (tests/cross/model_cases.py), as the program's `parity` does, here and in browsers.
import { canonical } from '../src/canonical.js';
import type { ImagePreset, ImageTask, Model, ModelInput, ModelRun, Requant, TensorFacts } from '../src/model_types.js';
import type { Engine, Remote } from '../src/types.js';

export interface ModelCase {
  readonly name: string;
  readonly model: string;
  readonly requant: Requant;
  readonly inputs: readonly string[];
  readonly image?: ImagePreset | ImageTask;
}

/** Of the first output, and of the receipt. */
export interface ModelOutcome {
  readonly output: string;
  readonly receipt: string;
}

type Fetch = (name: string) => Promise<Uint8Array<ArrayBuffer>>;
type AnyEngine = Engine | Remote<Engine>;

const arrays = { f32: Float32Array, i8: Int8Array, u8: Uint8Array };

/** A file's ending says what it holds; all but tensors are images. */
async function read(name: string, { shape }: TensorFacts, fetch: Fetch): Promise<ModelInput> {
  const bytes = await fetch(name), dtype = name.slice(name.lastIndexOf('.') + 1);
  if (!(dtype in arrays)) return bytes;
  return { dtype: dtype as keyof typeof arrays, shape, data: new arrays[dtype as keyof typeof arrays](bytes.buffer) };
}

export async function runModelCase(engine: AnyEngine, c: ModelCase, fetch: Fetch, reference = false): Promise<ModelOutcome> {
  const model: Model | Remote<Model> = await engine.load(await fetch(c.model), { requant: c.requant, reference });
  try {
    const inputs = await Promise.all(c.inputs.map((name, i) => read(name, model.facts.inputs[i]!, fetch)));
    const run: ModelRun | Remote<ModelRun> = await model.run(inputs, c.image === undefined ? {} : { image: c.image });
    await run.dispose();
    return { output: run.outputs[0]!.sha256, receipt: await engine.sha256(new TextEncoder().encode(canonical(run.receipt))) };
  } finally {
    await model.dispose();
  }
}

/** Every case; `all` is the digest that parity.py makes of them. */
export async function runModelSet(engine: AnyEngine, cases: readonly ModelCase[], fetch: Fetch, reference = false): Promise<{ outcomes: ModelOutcome[]; all: string }> {
  const outcomes: ModelOutcome[] = [];
  for (const c of cases) outcomes.push(await runModelCase(engine, c, fetch, reference));
  const lines = [...outcomes.map((o) => o.output), ...outcomes.map((o) => o.receipt)].join('\n');
  return { outcomes, all: await engine.sha256(new TextEncoder().encode(lines)) };
}
