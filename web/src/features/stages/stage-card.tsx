import type { ComponentChildren } from 'preact';
import type { PhotoRun, Remote, Stage } from 'bitexact';
import { Digest } from '../../ui/digest.tsx';
import { download } from '../../lib/clipboard.ts';
import { isCursorStage, isEmpty, type Cursor } from '../../lib/cursor.ts';
import type { Rect } from '../../lib/geometry.ts';
import { Picture } from './picture.tsx';
import { Probe, type ProbeActions } from './probe.tsx';

export interface CardProps {
  title: string;
  stage: Stage | undefined;
  /** The stage of this name in the last finished run, kept on show while a newer one is computed. */
  shown: Stage | undefined;
  index: number;
  run: Remote<PhotoRun> | undefined;
  busy: boolean;
  magnitude: boolean;
  mark: Rect | undefined;
  cursor: Cursor | undefined;
  pinned: boolean;
  actions: ProbeActions;
  /** Said instead of a picture when the pipeline has no such stage. */
  absent?: string;
  /** The control that matters most, on one line above the picture. */
  control?: ComponentChildren;
  /** The others, below. */
  children?: ComponentChildren;
}

function sizeText({ dtype, shape }: Stage): string {
  return `${dtype} ${shape.join('×')}`;
}

function Save({ run, index, stage }: { run: Remote<PhotoRun> | undefined; index: number; stage: Stage }) {
  const save = (suffix: string, type: string, data: Promise<Uint8Array> | undefined) =>
    void data?.then((bytes) => download(`${stage.name}.${suffix}`, bytes, type), () => undefined);
  return (
    <span class="save">
      <button type="button" class="link" disabled={!run || isEmpty(stage)} title="Save the picture" onClick={() => save('png', 'image/png', run?.png(index))}>↓png</button>
      <button type="button" class="link" disabled={!run} title="Save the bytes that the SHA-256 is of" onClick={() => save('bin', 'application/octet-stream', run?.dump(index))}>↓bytes</button>
    </span>
  );
}

const EMPTY = 'empty: the window is larger than its input';

function Body(props: CardProps & { shown: Stage }) {
  const { shown, index, run, magnitude, mark, cursor, pinned, actions } = props;
  if (isEmpty(shown)) return <div class="frame empty"><span>{EMPTY}</span></div>;
  const picture = <Picture run={run} stage={shown} index={index} magnitude={magnitude} mark={mark} />;
  if (!isCursorStage(shown.name)) return <div class="frame">{picture}</div>;
  return <div class="frame"><Probe stage={shown} cursor={cursor} pinned={pinned} {...actions}>{picture}</Probe></div>;
}

function Footer({ stage, run, index, busy }: { stage: Stage | undefined; run: Remote<PhotoRun> | undefined; index: number; busy: boolean }) {
  if (!stage) return <div class="foot"><span class="waiting">{busy ? 'computing…' : 'not computed'}</span></div>;
  return (
    <div class="foot">
      <span class="size mono">{sizeText(stage)}</span>
      <Save run={run} index={index} stage={stage} />
      <Digest sha256={stage.sha256} of={stage.name} />
    </div>
  );
}

export function StageCard(props: CardProps & { name: string }) {
  const { name, title, stage, shown, run, index, busy, absent, control, children } = props;
  return (
    <article class={`card ${stage || absent ? '' : 'pending'}`} aria-label={title} data-testid={absent ? undefined : `stage-${name}`} data-sha256={stage?.sha256}>
      <h2>{title}</h2>
      <div class="control">{control}</div>
      {absent ? <div class="frame empty"><span>{absent}</span></div> : shown ? <Body {...props} shown={shown} /> : <div class="frame empty" />}
      {absent ? <div class="foot" /> : <Footer stage={stage} run={run} index={index} busy={busy} />}
      <div class="controls">{children}</div>
    </article>
  );
}
