import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
  testid?: string;
}

export function Select({ label, value, options, onChange, testid }: SelectProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select data-testid={testid} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
        {options.map(([v, text]) => (
          <option key={v} value={v}>{text}</option>
        ))}
      </select>
    </label>
  );
}

interface EntryProps<T> {
  label: string;
  value: T;
  show: (value: T) => string;
  read: (text: string) => T | undefined;
  onChange: (value: T) => void;
  tabIndex?: number;
}

/** A text field which hands on what it can read and keeps what it cannot until the field is left. */
export function Entry<T>({ label, value, show, read, onChange, tabIndex }: EntryProps<T>) {
  const [text, setText] = useState<string>();
  const bad = text !== undefined && read(text) === undefined;
  const sent = useRef<T>();
  // A value from elsewhere replaces what is being typed; the field's own echo must not.
  useEffect(() => { if (value !== sent.current) setText(undefined); }, [value]);
  const take = (next: string) => {
    setText(next);
    const v = read(next);
    if (v === undefined || v === value) return;
    sent.current = v;
    onChange(v);
  };
  return (
    <input
      type="text" tabIndex={tabIndex} inputMode="decimal" autocomplete="off" spellcheck={false} aria-label={label} aria-invalid={bad}
      value={text ?? show(value)} onInput={(e) => take(e.currentTarget.value)} onBlur={() => setText(undefined)}
    />
  );
}

export const wholeNumber = (lo: number, hi: number) => (text: string) => {
  const n = /^\d{1,6}$/.test(text.trim()) ? Number(text) : NaN;
  return n >= lo && n <= hi ? n : undefined;
};

interface PairProps {
  label: string;
  names: readonly [string, string];
  value: readonly [number, number];
  max: number;
  onChange: (value: [number, number]) => void;
}

/** Two whole numbers: height x width, rows x columns. */
export function Pair({ label, names, value: [a, b], max, onChange }: PairProps) {
  const read = wholeNumber(1, max);
  return (
    <div class="field" role="group" aria-label={label}>
      <span>{label}</span>
      <span class="pair">
        <Entry label={`${label}: ${names[0]}`} value={a} show={String} read={read} onChange={(v) => onChange([v, b])} />×
        <Entry label={`${label}: ${names[1]}`} value={b} show={String} read={read} onChange={(v) => onChange([a, v])} />
      </span>
    </div>
  );
}

export function Panel({ title, note, class: name = '', children, ...rest }: { title: string; note?: ComponentChildren; class?: string; children: ComponentChildren; [data: `data-${string}`]: unknown }) {
  return (
    <section class={`panel ${name}`} aria-label={title} {...rest}>
      <h2>{title}</h2>
      {note && <p class="note">{note}</p>}
      {children}
    </section>
  );
}
