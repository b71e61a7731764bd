import type { ModelFacts } from 'bitexact';
import { grouped } from '../../lib/elements.ts';
import { writeModelLink } from '../../lib/model-link.ts';

export const formatText = ({ format, version }: ModelFacts) => (format === 'onnx' ? `ONNX, opset ${version}` : `TFLite, schema ${version}`);

/** A model in one line. */
export function ModelLine({ facts, model }: { facts: ModelFacts; model: string | undefined }) {
  const { steps, parameters, macs } = facts;
  return (
    <p class="model-line note" data-testid="model-line">
      {formatText(facts)} · {steps.length} steps · {grouped(parameters)} parameters · {grouped(macs)} multiply-accumulates
      {model && <> · <a href={`./inspect.html${writeModelLink(model)}`}>look inside</a></>}
    </p>
  );
}
