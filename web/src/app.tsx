import { useEffect, useState } from 'preact/hooks';
import { initWorker, type Engine, type Remote } from 'bitexact';
import { Header } from './ui/header.tsx';
import { ErrorLine } from './ui/error-line.tsx';
import { Workbench } from './workbench.tsx';

export function App() {
  const [engine, setEngine] = useState<Remote<Engine>>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    initWorker().then(setEngine, (e: unknown) => setError(`The engine did not start: ${e instanceof Error ? e.message : e}`));
  }, []);
  return (
    <>
      <Header engine={engine} />
      <main>
        {error && <ErrorLine text={error} />}
        {engine ? <Workbench engine={engine} /> : !error && <p class="loading" data-testid="busy">Starting the engine…</p>}
      </main>
    </>
  );
}
