import { BitexactError } from './errors.js';

/**
 * The one spelling of a JSON value, byte for byte what the C++ side writes: keys sorted by code point, no spaces,
 * integers only. Keys whose value is undefined are left out.
 */
export function canonical(value: unknown): string {
  return write(value, 0);
}

/** Deeper nesting is refused, so that a hostile object cannot exhaust the stack. */
const maxDepth = 64;

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new BitexactError('argument', `canonical JSON nests at most ${maxDepth} levels`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'string') return writeString(value);
  if (Array.isArray(value)) return `[${value.map((v) => write(v, depth + 1)).join(',')}]`;
  if (typeof value === 'object') return writeObject(value as Record<string, unknown>, depth);
  throw new BitexactError('argument', `canonical JSON has no ${typeof value}`);
}

function writeNumber(x: number): string {
  if (!Number.isSafeInteger(x)) throw new BitexactError('argument', `canonical JSON holds safe integers only, not ${x}`);
  return String(x === 0 ? 0 : x);
}

function writeString(s: string): string {
  if (/\p{Surrogate}/u.test(s)) throw new BitexactError('argument', 'canonical JSON holds no lone surrogates');
  return JSON.stringify(s);
}

function writeObject(o: Record<string, unknown>, depth: number): string {
  const keys = Object.keys(o).filter((k) => o[k] !== undefined).sort(byCodePoint);
  return `{${keys.map((k) => `${writeString(k)}:${write(o[k], depth + 1)}`).join(',')}}`;
}

/** UTF-8 orders strings by code point; JavaScript's own comparison is by UTF-16 unit and differs beyond U+FFFF. */
function byCodePoint(a: string, b: string): number {
  const x = [...a], y = [...b];
  for (let i = 0; i < x.length && i < y.length; i++) {
    const difference = x[i]!.codePointAt(0)! - y[i]!.codePointAt(0)!;
    if (difference) return difference;
  }
  return x.length - y.length;
}
