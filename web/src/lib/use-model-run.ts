import { useMemo, useState } from 'preact/hooks';
import type { ImagePreset, ImageTask, Layer, Model, ModelRun, Remote } from 'bitexact';
import type { NamedFile } from './files.ts';
import { useOneRun, type OneRun, type Start } from './use-one-run.ts';

export interface ModelRunState extends OneRun<Remote<ModelRun>, Layer | undefined> {
  again(): void;
}

/** The run of a model on an image file. */
export function useModelRun(model: Remote<Model> | undefined, input: NamedFile | undefined, image: ImagePreset | ImageTask | undefined): ModelRunState {
  const [attempt, setAttempt] = useState(0);
  const start = useMemo((): Start<Remote<ModelRun>, Layer | undefined> | undefined => model && input && ((signal, report) =>
    model.run(input.bytes, { image, signal, onProgress: (_done, total, layer) => report(layer, total) })), [model, input, image, attempt]);
  return { ...useOneRun(start, input?.name ?? ''), again: () => setAttempt((n) => n + 1) };
}
