import { transfer } from 'comlink';

import * as check from './checks.js';
import type { Client } from './client.js';
import { frozen } from './held.js';
import { loadOptions, modelFiles, modelInputs, runOptions } from './model_checks.js';
import type { InputBytes } from './model_checks.js';
import type { Model, ModelOutput, ModelRun } from './model_types.js';
import { topScores } from './scores.js';
import { signalOf } from './stepping.js';
import type { Watcher } from './stepping.js';
import { copyOf } from './transfer.js';
import type { Remote, Verdict } from './types.js';

export async function load(client: Client, file: unknown, options: unknown): Promise<Remote<Model>> {
  const bytes = check.bytes(file, 'model'), request = loadOptions(options);
  const { id, facts } = await client.send((api) => api.load(copyOf(bytes), request));
  const run = async (inputs: unknown, o?: unknown) => runModel(client, id, inputs, o);
  return client.held(id, { facts: frozen(facts), run }, []);
}

async function runModel(client: Client, model: number, inputs: unknown, options: unknown): Promise<Remote<ModelRun>> {
  const from = copiesOf(modelInputs(inputs)), { watcher, ...request } = runOptions(options);
  const { id, outputs, ...records } = await client.watched(watcher, (api, ...progress) =>
    api.runModel(model, transfer(from, from.map(bufferOf)), request, ...progress));
  return client.held(id, { ...frozen(records), ...outputsOf(outputs) }, ['input', 'layer']);
}

/** Scores need no second journey. */
function outputsOf(outputs: readonly ModelOutput[]) {
  return { outputs, top: async (count?: unknown, labels?: unknown) => topScores(outputs[0], count, labels) };
}

export async function verifyModel(client: Client, receipt: string, value: unknown, { watcher, ...o }: check.RunOptions & { watcher: Watcher<never> }): Promise<Verdict> {
  const { model, inputs, external } = modelFiles(value);
  const files = { model: copyOf(model), inputs: copiesOf(inputs), external };
  return client.watched<unknown, Verdict>(signalOf(watcher), (api, ...progress) => api.verifyModel(receipt, files, o, ...progress));
}

/** The caller keeps his arrays. */
function copiesOf(inputs: readonly InputBytes[]): InputBytes[] {
  return inputs.map((input) => ('file' in input ? { file: input.file.slice() } : { ...input, data: input.data.slice() }));
}

function bufferOf(input: InputBytes): ArrayBuffer {
  return ('file' in input ? input.file : input.data).buffer;
}
