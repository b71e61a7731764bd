import { useEffect, useState } from 'preact/hooks';
import { copyText } from '../lib/clipboard.ts';

/** Copies a text and says for a moment whether that was allowed. */
export function useCopy(): [said: string | undefined, copy: (text: string) => void] {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(undefined), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, (text) => void copyText(text).then((copied) => setSaid(copied ? 'copied' : 'not copied'))];
}

export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [said, copy] = useCopy();
  return (
    <button type="button" onClick={() => copy(typeof text === 'string' ? text : text())}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}
