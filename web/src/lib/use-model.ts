import { useEffect, useState } from 'preact/hooks';
import { BitexactError, type Engine, type Model, type ModelProblem, type Remote, type Requant } from 'bitexact';
import { message, type NamedFile } from './files.ts';

export interface ModelState {
  readonly model?: Remote<Model>;
  /** Why the file cannot be run, when it can be read. */
  readonly problems: readonly ModelProblem[];
  readonly busy: boolean;
  readonly error?: string;
}

const loading: ModelState = { problems: [], busy: true };

/** Its layers can be shown; an error of code `unsupported` comes with all the problems. */
async function load(engine: Remote<Engine>, { name, bytes }: NamedFile, requant: Requant): Promise<ModelState> {
  try {
    return { ...loading, model: await engine.load(bytes, { requant, keepLayers: true }), busy: false };
  } catch (e) {
    if (!(e instanceof BitexactError) || e.code !== 'unsupported') return { ...loading, busy: false, error: `${name}: ${message(e)}` };
    const { problems } = await engine.inspect(bytes, { requant });
    return { problems, busy: false, error: problems.length ? `${name} cannot be run here.` : `${name}: ${message(e)}` };
  }
}

/** The model in a file, ready to run, until another file takes its place. */
export function useModel(engine: Remote<Engine>, file: NamedFile | undefined, requant: Requant): ModelState {
  const [state, setState] = useState<ModelState & { readonly file?: NamedFile; readonly requant?: Requant }>(loading);
  useEffect(() => {
    if (!file) return;
    const loaded = load(engine, file, requant).catch((e: unknown): ModelState => ({ problems: [], busy: false, error: `${file.name}: ${message(e)}` }));
    let latest = true;
    void loaded.then((s) => latest && setState({ ...s, file, requant }));
    return () => {
      latest = false;
      void loaded.then(({ model }) => model?.dispose());
    };
  }, [engine, file, requant]);
  return state.file === file && state.requant === requant ? state : loading;
}
