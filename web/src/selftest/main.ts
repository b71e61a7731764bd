import { init, initWorker, type Engine, type InitOptions, type Remote } from 'bitexact';
import { runModelSet, type ModelCase } from '../../../wasm/test/model_cases.ts';
import { parseSuite, runVectors, type VectorSuite } from '../../../wasm/test/vectors.ts';
import { computeOutcome } from '../features/parity/outcome.ts';
import { loadParity, type Parity } from '../features/parity/parity.ts';

interface Count {
  passed: number;
  failed: number;
  failures: unknown[];
  all?: string;
}

type AnyEngine = Engine | Remote<Engine>;

const none = (): Count => ({ passed: 0, failed: 0, failures: [] });
const failure = (e: unknown): Count => ({ passed: 0, failed: 1, failures: [e instanceof Error ? e.message : String(e)] });

/** Whoever runs this page serves the suites, and an index of their names, under selftest/. */
async function fetchFile(name: string): Promise<Response> {
  const answer = await fetch(`selftest/${name}`);
  if (!answer.ok) throw new Error(`selftest/${name}: the server answered ${answer.status}`);
  return answer;
}

const fetchText = async (name: string) => (await fetchFile(`${name}.json`)).text();

/** Against every platform of parity.json, since they may differ among themselves. */
async function runPipelines(engine: AnyEngine, parity: Parity | undefined): Promise<Count> {
  const count = none();
  for (const [i, pipeline] of (parity?.pipelines ?? []).entries()) {
    const got = await computeOutcome(engine, pipeline);
    for (const p of parity!.platforms) {
      const expected = { output: p.outputs[i]!, receipt: p.receipts?.[i] ?? got.receipt };
      const same = expected.output === got.output && expected.receipt === got.receipt;
      if (same) ++count.passed;
      else count.failures.push({ pipeline: pipeline.name, platform: p.name, expected, got, failed: ++count.failed });
    }
  }
  return count;
}

const fetchModelFile = async (name: string) => new Uint8Array(await (await fetchFile(`models/${name}`)).arrayBuffer());

/** Their digests are compared with those of other platforms by whoever runs this page. */
async function runModels(engine: AnyEngine, cases: readonly ModelCase[]): Promise<Count> {
  const { outcomes, all } = await runModelSet(engine, cases, fetchModelFile);
  return { passed: outcomes.length, failed: 0, failures: [], all };
}

/** With `?large` also the models that take seconds, where they take the fewest. */
async function fetchModels(): Promise<ReadonlyMap<string, readonly ModelCase[]>> {
  const sets = new Map<string, readonly ModelCase[]>();
  for (const name of JSON.parse(await fetchText('models/index')) as string[]) {
    if (name !== 'large' || location.search === '?large') sets.set(name, JSON.parse(await fetchText(`models/${name}`)).cases);
  }
  return sets;
}

interface Work {
  readonly suites: ReadonlyMap<string, VectorSuite>;
  readonly models: ReadonlyMap<string, readonly ModelCase[]>;
  readonly parity: Parity | undefined;
}

async function runAll(engine: AnyEngine, { suites, models, parity }: Work, fastest: boolean) {
  const counts: Record<string, Count> = {};
  for (const [name, suite] of suites) counts[name] = await runVectors(engine, suite).catch(failure);
  for (const [name, cases] of models) {
    if (name !== 'large' || fastest) counts[`models ${name}`] = await runModels(engine, cases).catch(failure);
  }
  counts.pipelines = await runPipelines(engine, parity).catch(failure);
  return counts;
}

const BUILDS: readonly { where: string; start: (o: InitOptions) => Promise<AnyEngine>; simd: boolean }[] = [
  { where: 'main', start: init, simd: false },
  { where: 'main', start: init, simd: true },
  { where: 'worker', start: initWorker, simd: false },
  { where: 'worker', start: initWorker, simd: true },
];

async function main() {
  const suites = new Map<string, VectorSuite>();
  for (const name of JSON.parse(await fetchText('index')) as string[]) suites.set(name, parseSuite(await fetchText(name)));
  const work = { suites, models: await fetchModels(), parity: await loadParity() };
  const engines: { where: string; simd: boolean; counts: Record<string, Count> }[] = [];
  for (const { where, start, simd } of BUILDS) {
    const counts = await start({ simd }).then((engine) => runAll(engine, work, simd && where === 'worker'), (e: unknown): Record<string, Count> => ({ start: failure(e) }));
    engines.push({ where, simd, counts });
  }
  const sum = (key: 'passed' | 'failed') => engines.flatMap((e) => Object.values(e.counts)).reduce((n, c) => n + c[key], 0);
  return { parity: work.parity ? work.parity.platforms.length : 'absent', passed: sum('passed'), failed: sum('failed'), engines };
}

main()
  .catch((e: unknown) => failure(e))
  .then((result) => {
    document.querySelector('#result')!.textContent = JSON.stringify(result, null, 1);
    document.title = 'done';
  });
