import type { Engine, Remote } from 'bitexact';
import { ThemeToggle } from './theme-toggle.tsx';

const build = (e: Remote<Engine>) => `engine ${e.version} · contract ${e.contract} · wasm ${e.simd ? 'SIMD' : 'scalar'}`;

export function Header({ engine }: { engine: Remote<Engine> | undefined }) {
  return (
    <header class="top">
      <h1>bitexact</h1>
      <p class="tagline">One photo, one pipeline, one hash: the same integers on every machine.</p>
      <span class="build mono">{engine ? build(engine) : ''}</span>
      <ThemeToggle />
    </header>
  );
}
