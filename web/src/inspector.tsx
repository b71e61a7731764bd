import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Engine, ModelReport, Remote } from 'bitexact';
import { ModelPick } from './features/model/model-pick.tsx';
import { Problems } from './features/model/problems.tsx';
import { Arena } from './features/steps/arena.tsx';
import { Facts } from './features/steps/facts.tsx';
import { StepsTable } from './features/steps/steps-table.tsx';
import { message, readFile } from './lib/files.ts';
import { readModelLink, writeModelLink } from './lib/model-link.ts';
import { loadModel, type ModelFile } from './lib/models.ts';
import { useDroppedFiles } from './lib/use-dropped-files.ts';
import { useNewest } from './lib/use-newest.ts';
import { ErrorLine } from './ui/error-line.tsx';

interface Inspected {
  readonly file: ModelFile;
  readonly report: ModelReport;
}

async function inspect(engine: Remote<Engine>, wanted: Promise<ModelFile>): Promise<Inspected> {
  const file = await wanted;
  const report = await engine.inspect(file.bytes).catch((e: unknown): never => { throw new Error(`${file.name}: ${message(e)}`); });
  return { file, report };
}

function Report({ file, report: { facts, problems } }: Inspected) {
  const [chosen, onChoose] = useState<number>();
  if (!facts) return <><ErrorLine text={`${file.name} cannot be run here.`} /><Problems problems={problems} /></>;
  return (
    <>
      <div class="overview">
        <Facts facts={facts} name={file.name} />
        <Arena facts={facts} chosen={chosen} onChoose={onChoose} />
      </div>
      <StepsTable facts={facts} chosen={chosen} onChoose={onChoose} />
    </>
  );
}

export function Inspector({ engine }: { engine: Remote<Engine> }) {
  const first = useMemo(() => readModelLink(location.search), []);
  const { value, loading, error, load } = useNewest<Inspected>();
  const choose = (wanted: Promise<ModelFile>) => load(inspect(engine, wanted));
  const chooseFile = (f: File) => choose(readFile(f));
  const over = useDroppedFiles(chooseFile);
  useEffect(() => choose(loadModel(first.model)), []);
  useEffect(() => {
    if (value) history.replaceState(null, '', writeModelLink(value.file.model) || location.pathname);
  }, [value]);
  return (
    <>
      <ModelPick file={value?.file} over={over} onModel={(name) => choose(loadModel(name))} onFile={chooseFile} />
      {error && <ErrorLine text={error} />}
      {loading && <p class="loading" data-testid="busy">Reading the model…</p>}
      {value && !error && <Report key={value.file.bytes} {...value} />}
    </>
  );
}
