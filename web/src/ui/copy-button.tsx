import { useEffect, useState } from 'preact/hooks';
import { copyText } from '../lib/clipboard.ts';

/** Copies a text and says so for a moment. */
export function useCopy(): [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (text) => void copyText(text).then(() => setCopied(true))];
}

export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [copied, copy] = useCopy();
  return (
    <button type="button" onClick={() => copy(typeof text === 'string' ? text : text())}>
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  );
}
