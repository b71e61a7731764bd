import { init, initWorker, type Engine, type InitOptions, type Remote } from 'bitexact';
import { parseSuite, runVectors, type VectorSuite } from '../../../wasm/test/vectors.ts';
import { computeOutcome } from '../features/parity/outcome.ts';
import { loadParity, type Parity } from '../features/parity/parity.ts';

interface Count {
  passed: number;
  failed: number;
  failures: unknown[];
}

type AnyEngine = Engine | Remote<Engine>;

const none = (): Count => ({ passed: 0, failed: 0, failures: [] });
const failure = (e: unknown): Count => ({ passed: 0, failed: 1, failures: [e instanceof Error ? e.message : String(e)] });

/** Whoever runs this page serves the suites, and an index of their names, under selftest/. */
async function fetchText(name: string): Promise<string> {
  const answer = await fetch(`selftest/${name}.json`);
  if (!answer.ok) throw new Error(`selftest/${name}.json: the server answered ${answer.status}`);
  return answer.text();
}

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

async function runAll(engine: AnyEngine, suites: ReadonlyMap<string, VectorSuite>, parity: Parity | undefined) {
  const counts: Record<string, Count> = {};
  for (const [name, suite] of suites) counts[name] = await runVectors(engine, suite).catch(failure);
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
  const parity = await loadParity();
  const engines: { where: string; simd: boolean; counts: Record<string, Count> }[] = [];
  for (const { where, start, simd } of BUILDS) {
    const counts = await start({ simd }).then((engine) => runAll(engine, suites, parity), (e: unknown): Record<string, Count> => ({ start: failure(e) }));
    engines.push({ where, simd, counts });
  }
  const sum = (key: 'passed' | 'failed') => engines.flatMap((e) => Object.values(e.counts)).reduce((n, c) => n + c[key], 0);
  return { parity: parity ? parity.platforms.length : 'absent', passed: sum('passed'), failed: sum('failed'), engines };
}

main()
  .catch((e: unknown) => failure(e))
  .then((result) => {
    document.querySelector('#result')!.textContent = JSON.stringify(result, null, 1);
    document.title = 'done';
  });
