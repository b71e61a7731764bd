import { render, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { initWorker, type Engine, type Remote } from 'bitexact';
import { message } from '../lib/files.ts';
import { ErrorLine } from './error-line.tsx';
import { Header, type PageName } from './header.tsx';

interface Props {
  page: PageName;
  tagline: string;
  content: (engine: Remote<Engine>) => ComponentChildren;
}

function App({ page, tagline, content }: Props) {
  const [engine, setEngine] = useState<Remote<Engine>>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    initWorker().then(setEngine, (e: unknown) => setError(`The engine did not start: ${message(e)}`));
  }, []);
  return (
    <>
      <Header engine={engine} page={page} tagline={tagline} />
      <main>
        {error && <ErrorLine text={error} />}
        {engine ? content(engine) : !error && <p class="loading" data-testid="busy">Starting the engine…</p>}
      </main>
    </>
  );
}

/** Shows a page around an engine of its own. */
export const show = (props: Props) => render(<App {...props} />, document.getElementById('app')!);
