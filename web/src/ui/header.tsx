import type { Engine, Remote } from 'bitexact';
import { ThemeToggle } from './theme-toggle.tsx';

const PAGES = {
  convolve: { href: './', text: 'Convolve' },
  classify: { href: './classify.html', text: 'Classify' },
  inspect: { href: './inspect.html', text: 'Inspect' },
} as const;

export type PageName = keyof typeof PAGES;

const build = (e: Remote<Engine>) => `engine ${e.version} · contract ${e.contract} · wasm ${e.simd ? 'SIMD' : 'scalar'}`;

interface Props {
  engine: Remote<Engine> | undefined;
  page: PageName;
  tagline: string;
}

export function Header({ engine, page, tagline }: Props) {
  return (
    <header class="top">
      <h1>bitexact</h1>
      <nav class="pages" aria-label="Pages">
        {Object.entries(PAGES).map(([name, { href, text }]) => (
          <a key={name} href={href} aria-current={name === page ? 'page' : undefined} data-testid={`page-${name}`}>{text}</a>
        ))}
      </nav>
      <p class="tagline">{tagline}</p>
      <span class="build mono">{engine ? build(engine) : ''}</span>
      <ThemeToggle />
    </header>
  );
}
