import * as check from './checks.js';
import type { Client, Handle } from './client.js';
import { frozen } from './held.js';
import { loadOptions, modelFiles, modelInputs, runOptions } from './model_checks.js';
import type { Model, ModelOutput, ModelReport, ModelRun } from './model_types.js';
import { topScores } from './scores.js';
import { signalOf } from './stepping.js';
import type { Watcher } from './stepping.js';
import { handOver } from './transfer.js';
import type { Remote, Verdict } from './types.js';

export async function load(client: Client, file: unknown, options: unknown): Promise<Remote<Model>> {
  const bytes = handOver(check.bytes(file, 'model')), request = handOver(loadOptions(options));
  const { id, facts } = await client.send((api) => api.load(bytes, request));
  const handle = client.hold(id), run = async (inputs: unknown, o?: unknown) => runModel(client, handle, inputs, o);
  return client.held(handle, { facts: frozen(facts), run }, []);
}

export async function inspect(client: Client, file: unknown, options: unknown): Promise<ModelReport> {
  const bytes = handOver(check.bytes(file, 'model')), request = handOver(loadOptions(options));
  return frozen(await client.send((api) => api.inspect(bytes, request)));
}

async function runModel(client: Client, model: Handle, inputs: unknown, options: unknown): Promise<Remote<ModelRun>> {
  const from = handOver(modelInputs(inputs)), { watcher, ...request } = runOptions(options);
  const { id, outputs, ...records } = await client.watched(watcher, (api, ...progress) =>
    api.runModel(model.id, from, request, ...progress));
  return client.held(client.hold(id), { ...frozen(records), ...outputsOf(outputs) }, ['input', 'layer']);
}

/** Scores need no second journey. */
function outputsOf(outputs: readonly ModelOutput[]) {
  return { outputs, top: async (count?: unknown, labels?: unknown) => topScores(outputs[0], count, labels) };
}

export async function verifyModel(client: Client, receipt: string, value: unknown, { watcher, ...o }: check.RunOptions & { watcher: Watcher<never> }): Promise<Verdict> {
  const files = handOver(modelFiles(value));
  return client.watched<unknown, Verdict>(signalOf(watcher), (api, ...progress) => api.verifyModel(receipt, files, o, ...progress));
}
