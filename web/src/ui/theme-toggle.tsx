import { useEffect, useState } from 'preact/hooks';

type Theme = 'light' | 'dark';
const KEY = 'bitexact-theme';

const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

// Storage is refused in some private windows; the choice then lasts as long as the page.
function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined;
  }
}

function store(theme: Theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}

export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme | undefined>(stored);
  useEffect(() => {
    if (!theme) return;
    document.documentElement.dataset.theme = theme;
    store(theme);
  }, [theme]);
  const other = (theme ?? system()) === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="icon" aria-label={`Use the ${other} theme`} title={`Use the ${other} theme`} onClick={() => setTheme(other)}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M10 2.5a7.5 7.5 0 0 1 0 15z" fill="currentColor" />
      </svg>
    </button>
  );
}
