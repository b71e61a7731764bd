import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Engine, Model, ModelRun, Remote } from 'bitexact';
import { Layers } from './features/layers/layers.tsx';
import { ModelReceiptPanels } from './features/model-receipt/model-receipt.tsx';
import { InputPanel } from './features/model/input-panel.tsx';
import { ModelLine } from './features/model/model-line.tsx';
import { ModelPick } from './features/model/model-pick.tsx';
import type { Settings } from './features/model/options.tsx';
import { Problems } from './features/model/problems.tsx';
import { AnswerPanel } from './features/scores/answer-panel.tsx';
import { useAnswer } from './features/scores/use-answer.ts';
import { readFile } from './lib/files.ts';
import { wayOf } from './lib/image-choice.ts';
import { loadInput, suitable, suits, type ModelInputFile } from './lib/model-input.ts';
import { readModelLink, writeModelLink } from './lib/model-link.ts';
import { isModelFile, loadModel, MODELS, readsDigits, type ModelFile } from './lib/models.ts';
import { useDroppedFiles } from './lib/use-dropped-files.ts';
import { useModel } from './lib/use-model.ts';
import { useModelRun, type ModelRunState } from './lib/use-model-run.ts';
import { useNewest } from './lib/use-newest.ts';
import { ErrorLine } from './ui/error-line.tsx';

/** The model file and how it is used; its first one is the link's. */
function useChoice(first: string) {
  const file = useNewest<ModelFile>();
  const [settings, setSettings] = useState<Settings>({ image: MODELS[first]!.image, requant: 'tflm' });
  const [labels, setLabels] = useState<readonly string[]>();
  const change = (part: Partial<Settings>) => setSettings((s) => ({ ...s, ...part }));
  const start = (image: Settings['image'], wanted: Promise<ModelFile>) => {
    change({ image });
    setLabels(undefined);
    file.load(wanted);
  };
  const chooseModel = (name: string) => start(MODELS[name]!.image, loadModel(name));
  const chooseFile = (f: File) => start('auto', readFile(f));
  useEffect(() => chooseModel(first), []);
  return { file, settings, change, labels, setLabels, chooseModel, chooseFile };
}

/** The input; a model that could do nothing with it gets a sample instead. */
function useInput(model: Remote<Model> | undefined, first: string | undefined) {
  const input = useNewest<ModelInputFile | undefined>();
  const digits = !!model && readsDigits(model.facts.inputs);
  const value = model && input.value && suits(input.value, digits) ? input.value : undefined;
  useEffect(() => {
    if (model && !value) input.load(loadInput(suitable(input.value?.sample ?? first, digits)));
  }, [model]);
  return { ...input, value, digits };
}

interface Done {
  readonly run: Remote<ModelRun>;
  readonly file: ModelFile;
  readonly input: ModelInputFile;
  readonly settings: Settings;
}

/** The last finished run; it stays on show while a newer one of the same model is computed, though its tensors are gone. */
function useDone(state: ModelRunState, model: Remote<Model> | undefined, of: Partial<Omit<Done, 'run'>>): Done | undefined {
  const done = useRef<{ model: Remote<Model> | undefined; done: Done }>();
  if (state.run) done.current = { model, done: { ...of, run: state.run } as Done };
  const { current } = done;
  return current && current.model === model && (state.run || state.busy) ? current.done : undefined;
}

/** The address leads back to what is shown, as far as it is the page's own. */
function useAddress(file: ModelFile | undefined, input: ModelInputFile | undefined) {
  useEffect(() => {
    if (file && input) history.replaceState(null, '', writeModelLink(file.model, input.sample) || location.pathname);
  }, [file, input]);
}

const quantized = (model: Remote<Model>) => Object.keys(model.facts.operators).some((op) => op.startsWith('q_'));

export function Classifier({ engine }: { engine: Remote<Engine> }) {
  const first = useMemo(() => readModelLink(location.search), []);
  const { file, settings, change, labels, setLabels, chooseModel, chooseFile } = useChoice(first.model);
  const { model, problems, busy, error } = useModel(engine, file.value, settings.requant);
  const input = useInput(model, first.sample);
  const state = useModelRun(model, input.value, wayOf(settings.image).image);
  const done = useDone(state, model, { file: file.value, input: input.value, settings });
  const answer = useAnswer(done?.run, labels);
  const choosePhoto = (f: File) => input.load(readFile(f));
  const over = useDroppedFiles((f) => (isModelFile(f.name) ? chooseFile(f) : choosePhoto(f)));
  useAddress(file.value, input.value);

  const failure = file.error ?? error ?? input.error ?? state.error;
  const pick = <ModelPick file={file.value} over={over} onModel={chooseModel} onFile={chooseFile} />;
  const trouble = <>{failure && <ErrorLine text={failure} />}{problems.length > 0 && <Problems problems={problems} />}</>;
  if (!model) return <>{pick}{trouble}{busy && !file.error && <p class="loading" data-testid="busy">Preparing the model…</p>}</>;

  const layout = model.facts.format === 'onnx' ? 'NCHW' : 'NHWC';
  const ofInput = answer && answer.run === done?.run && done?.input === input.value;
  return (
    <>
      {pick}
      {trouble}
      <ModelLine facts={model.facts} model={file.value?.model} />
      <div class="classify">
        <InputPanel
          engine={engine} input={input.value} digits={input.digits} faces={ofInput ? answer.faces : undefined} over={over}
          onInput={(i) => input.load(Promise.resolve(i))} onSample={(name) => input.load(loadInput(name))} onPhoto={choosePhoto}
          settings={settings} quantized={quantized(model)} onChange={change}
        />
        <div class="results">
          <AnswerPanel engine={engine} state={state} answer={done && answer} layout={layout} nameless={!file.value?.model} onLabels={setLabels} />
          {done && <ModelReceiptPanels engine={engine} model={done.file} {...done} {...done.settings} />}
        </div>
      </div>
      {done && <Layers run={done.run} layout={layout} />}
    </>
  );
}
