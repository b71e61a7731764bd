import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Engine, Remote } from 'bitexact';
import { Explain } from './features/explain/explain.tsx';
import { KernelEditor } from './features/kernel/kernel-editor.tsx';
import { ParityPanel } from './features/parity/parity-panel.tsx';
import { readFile } from './lib/files.ts';
import { loadSample, sampleOfFile, type Photo } from './lib/photo.ts';
import { Pick } from './features/pick/pick.tsx';
import { ReceiptPanels } from './features/receipt/receipt-panel.tsx';
import { Stages } from './features/stages/stages.tsx';
import { Toolbar } from './features/stages/toolbar.tsx';
import { clampCursor, middleOf, type Cursor } from './lib/cursor.ts';
import { readLink, writeLink } from './lib/link.ts';
import { firstTask, isSigned, type Task } from './lib/task.ts';
import { useNewest } from './lib/use-newest.ts';
import { idle, useRun, type RunState } from './lib/use-run.ts';
import { ErrorLine } from './ui/error-line.tsx';

/** The photo and the task, kept in step with the address. */
function useView(engine: Remote<Engine>) {
  const { kernels } = engine;
  const first = useMemo(() => readLink(location.hash, kernels, firstTask(kernels)), []);
  const [task, setTask] = useState(first.task);
  const { value: photo, load, loading, error } = useNewest<Photo>();
  useEffect(() => load(loadSample(first.sample)), []);
  useEffect(() => {
    if (photo) history.replaceState(null, '', writeLink(photo.sample, task));
  }, [photo, task]);
  useEffect(() => {
    const follow = () => {
      const view = readLink(location.hash, kernels, firstTask(kernels));
      setTask(view.task);
      load(loadSample(view.sample));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return { task, setTask, photo, load, loading, error };
}

/** The explained pixel: moved by pointer or keys, held by a click, always within the newest run. */
function useCursor(state: RunState) {
  const [wanted, setWanted] = useState<Cursor>();
  const [pinned, setPinned] = useState(false);
  const [spoken, setSpoken] = useState(false);
  const { run, stages } = state;
  const cursor = useMemo(() => {
    if (!run) return undefined;
    return wanted ? clampCursor(wanted, stages) : middleOf(stages);
  }, [run, wanted]);
  const onMove = (to: Cursor, by: 'pointer' | 'keyboard') => {
    const next = clampCursor(to, stages);
    if (!next || (next.stage === cursor?.stage && next.y === cursor.y && next.x === cursor.x)) return;
    setWanted(next);
    setSpoken(by === 'keyboard');
  };
  const onPin = (to: Cursor | undefined) => {
    setPinned(!!to);
    if (to) setWanted(clampCursor(to, stages));
  };
  return { cursor, pinned, spoken, actions: { onMove, onPin } };
}

export function Workbench({ engine }: { engine: Remote<Engine> }) {
  const { kernels } = engine;
  const { task, setTask, photo, load, loading, error } = useView(engine);
  const run = useRun(engine, photo, task);
  const state = loading ? idle : run;
  const { cursor, pinned, spoken, actions } = useCursor(state);
  const [started, setStarted] = useState(false);
  const [magnitude, setMagnitude] = useState<boolean>();
  useEffect(() => { if (!state.busy) setStarted(true); }, [state.busy]);
  const change = (part: Partial<Task>) => setTask((t) => ({ ...t, ...part }));
  const problem = error ?? state.error;
  const size = magnitude ?? isSigned(task.kernel);
  return (
    <>
      <Pick photo={photo} onFile={(f) => load(readFile(f))} onSample={(name) => load(loadSample(name))} />
      <Toolbar state={state} magnitude={size} onMagnitude={setMagnitude} />
      {problem && <ErrorLine text={problem} />}
      <Stages photo={photo} state={state} task={task} kernels={kernels} magnitude={size} cursor={cursor} pinned={pinned} actions={actions} onChange={change} />
      <div class="bench">
        <KernelEditor task={task} kernels={kernels} onChange={change} />
        <Explain state={state} task={task} cursor={cursor} pinned={pinned} spoken={spoken} onMove={actions.onMove} />
      </div>
      <div class="checks">
        <ParityPanel
          engine={engine} photo={photo} task={task} start={started}
          onOpen={({ image, task: pinnedTask }) => { setTask(pinnedTask); load(loadSample(sampleOfFile(image) ?? image)); }}
        />
        <ReceiptPanels engine={engine} kernels={kernels} photo={photo} task={task} state={state} />
      </div>
    </>
  );
}
