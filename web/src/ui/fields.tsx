import { useEffect, useState } from 'preact/hooks';
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
  /** Said of what cannot be read. */
  expects: string;
  onChange: (value: T) => void;
  tabIndex?: number;
}

/**
 * A text field which hands on its content when it is left or Enter is pressed: half a number is none yet. What it
 * cannot read stays, marked, until it is mended or Escape restores the value.
 */
export function Entry<T>({ label, value, show, read, expects, onChange, tabIndex }: EntryProps<T>) {
  const [text, setText] = useState<string>();
  const bad = text !== undefined && read(text) === undefined;
  // A value from elsewhere replaces what is being typed.
  useEffect(() => setText(undefined), [value]);
  const commit = () => {
    const v = text === undefined ? undefined : read(text);
    if (v === undefined) return;
    setText(undefined);
    if (v !== value) onChange(v);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === 'Enter') commit();
    if (e.key === 'Escape') setText(undefined);
  };
  return (
    <input
      type="text" tabIndex={tabIndex} inputMode="decimal" autocomplete="off" spellcheck={false} aria-label={label} aria-invalid={bad}
      title={bad ? `Not taken over: ${expects} expected` : undefined}
      value={text ?? show(value)} onInput={(e) => setText(e.currentTarget.value)} onKeyDown={onKeyDown} onBlur={commit}
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
  const entry = { show: String, read: wholeNumber(1, max), expects: `a whole number from 1 to ${max}` };
  return (
    <div class="field" role="group" aria-label={label}>
      <span>{label}</span>
      <span class="pair">
        <Entry label={`${label}: ${names[0]}`} value={a} {...entry} onChange={(v) => onChange([v, b])} />×
        <Entry label={`${label}: ${names[1]}`} value={b} {...entry} onChange={(v) => onChange([a, v])} />
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
