import { useState } from 'preact/hooks';
import type { Layer, ModelRun, Remote } from 'bitexact';
import { grouped, typeText } from '../../lib/elements.ts';
import { useLater } from '../../lib/use-later.ts';
import { useVisible } from '../../lib/use-visible.ts';
import { Digest } from '../../ui/digest.tsx';
import type { DataLayout } from './mosaic.ts';
import { TensorPicture } from './tensor-picture.tsx';

interface Shown {
  run: Remote<ModelRun>;
  layout: DataLayout;
}

function Saturated({ count }: { count: number }) {
  return <p class="warning" title="The true value may lie beyond the range of Q16.16.">⚠ {grouped(count)} {count === 1 ? 'element is' : 'elements are'} at the end of the range</p>;
}

/** Asks for the tensor when it comes on the screen. */
function LayerCard({ run, layout, layer, index }: Shown & { layer: Layer; index: number }) {
  const { element, visible } = useVisible<HTMLElement>();
  const [large, setLarge] = useState(false);
  const tensor = useLater(() => (visible ? run.layer(index) : undefined), [run, index, visible]);
  const { name, op, sha256, saturated } = layer;
  return (
    <article ref={element} class={`layer ${large ? 'large' : ''}`} aria-label={`Layer ${name}`} data-testid="layer" data-sha256={sha256}>
      <h3><span class="index">{index + 1}</span> <span class="layer-name" title={name}>{name || op}</span> <span class="note mono">{op}</span></h3>
      <TensorPicture name={name || op} shape={layer.shape} layout={layout} tensor={tensor} />
      <div class="foot">
        <span class="size mono">{typeText(layer.dtype, layer.shape)}</span>
        <button type="button" class="link save" aria-pressed={large} onClick={() => setLarge(!large)}>larger</button>
        <Digest sha256={sha256} of={name || op} />
      </div>
      {saturated > 0 && <Saturated count={saturated} />}
    </article>
  );
}

function InputCard({ run, layout }: Shown) {
  const tensor = useLater(() => run.input(0), [run]);
  const input = run.receipt.inputs[0];
  return input && (
    <article class="layer" aria-label="Input" data-testid="input">
      <h3><span class="index">0</span> <span class="layer-name">{input.name}</span> <span class="note mono">input</span></h3>
      <TensorPicture name="the input" shape={input.shape} layout={layout} tensor={tensor} />
      <div class="foot">
        <span class="size mono">{typeText(input.dtype, input.shape)}</span>
        <Digest sha256={input.tensor} of="the input" />
      </div>
    </article>
  );
}

/** Every tensor of the model that a run wrote. */
export function Layers({ run, layout }: Shown) {
  return (
    <section class="layers-section" aria-label="Layers">
      <div class="row">
        <h2>Layers</h2>
        <p class="note">Each with its SHA-256. Grey from the smallest element of a layer to its largest; channels side by side. Point at a picture to read an element.</p>
      </div>
      <div class="layers" data-testid="layers">
        <InputCard run={run} layout={layout} />
        {run.layers.map((layer, i) => <LayerCard key={i} run={run} layout={layout} layer={layer} index={i} />)}
      </div>
    </section>
  );
}
