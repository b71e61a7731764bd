import { MODEL_FILES, MODELS, type ModelFile } from '../../lib/models.ts';
import { FileDrop } from '../../ui/file-drop.tsx';

interface Props {
  file: ModelFile | undefined;
  over: boolean;
  onModel: (name: string) => void;
  onFile: (file: File) => void;
}

export function ModelPick({ file, over, onModel, onFile }: Props) {
  const own = file && !file.model;
  return (
    <section class={`pick models ${own ? 'own' : ''}`} aria-label="Model">
      <div class="choices" role="group" aria-label="Models of this page">
        {Object.entries(MODELS).map(([name, { text, note }]) => (
          <button key={name} type="button" class="choice-card" aria-pressed={file?.model === name} data-testid={`model-${name}`} onClick={() => onModel(name)}>
            <strong>{text}</strong>
            <span>{note}</span>
          </button>
        ))}
      </div>
      <FileDrop
        title={own ? file.name : 'Drop or choose a model'} note="ONNX or TFLite. It stays on this machine."
        accept={MODEL_FILES} over={over} testid="model-file" onFile={onFile}
      />
    </section>
  );
}
