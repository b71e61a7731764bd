import { useEffect, useRef, useState } from 'preact/hooks';
import type { PhotoRun, Remote, Stage } from 'bitexact';
import { drawOn } from '../../lib/canvas.ts';
import { sizeOf } from '../../lib/cursor.ts';
import type { Rect } from '../../lib/geometry.ts';

const PREVIEW = 640;

/** The picture of one stage of a run; the last one stays while a newer run is computed. */
function usePreview(run: Remote<PhotoRun> | undefined, index: number, magnitude: boolean) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    let latest = true;
    // Fails only when the run was given up meanwhile; then another picture is on its way.
    run?.preview(index, PREVIEW, PREVIEW, { magnitude }).then((p) => {
      if (!latest) return;
      drawOn(canvas.current, p);
      setDrawn(true);
    }, () => undefined);
    return () => { latest = false; };
  }, [run, index, magnitude]);
  return { canvas, drawn };
}

function Mark({ rect, size: [height, width] }: { rect: Rect; size: readonly [number, number] }) {
  const percent = (v: number, n: number) => `${(100 * v) / n}%`;
  const style = {
    left: percent(rect.x + rect.width / 2, width), top: percent(rect.y + rect.height / 2, height),
    width: percent(rect.width, width), height: percent(rect.height, height),
  };
  return <span class="mark" style={style} />;
}

export interface PictureProps {
  run: Remote<PhotoRun> | undefined;
  stage: Stage;
  index: number;
  magnitude: boolean;
  mark: Rect | undefined;
}

export function Picture({ run, stage, index, magnitude, mark }: PictureProps) {
  const { canvas, drawn } = usePreview(run, index, magnitude);
  const size = sizeOf(stage);
  return (
    <span class="picture" style={{ '--ratio': size[1] / size[0] }}>
      <canvas ref={canvas} width="1" height="1" role="img" aria-label={`Picture of ${stage.name}`} class={drawn ? '' : 'undrawn'} />
      {mark && drawn && <Mark rect={mark} size={size} />}
    </span>
  );
}
