export const ONE = 65536;
export const MIN = -2147483648n;
export const MAX = 2147483647n;

export const saturate = (v: bigint): bigint => (v < MIN ? MIN : v > MAX ? MAX : v);

/** floor(n / d) in Z, d > 0. */
export function floorDiv(n: bigint, d: bigint): bigint {
  const q = n / d;
  return n % d < 0n ? q - 1n : q;
}

/** Every q16 value has a finite decimal form: n / 2^16 = n * 5^16 / 10^16. */
export function exactDecimal(n: number): string {
  const size = BigInt(Math.abs(n));
  const fraction = ((size & 0xffffn) * 5n ** 16n).toString().padStart(16, '0').replace(/0+$/, '');
  return `${n < 0 ? '-' : ''}${size >> 16n}${fraction && '.' + fraction}`;
}

/** For places without room; an ellipsis says that digits are missing. */
export function shortDecimal(n: number, digits = 4): string {
  const exact = exactDecimal(n);
  const dot = exact.indexOf('.');
  return dot < 0 || exact.length - dot - 1 <= digits ? exact : `${exact.slice(0, dot + 1 + digits)}…`;
}

interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

function parseDecimal(text: string): Fraction | undefined {
  const m = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,2}))?$/i.exec(text);
  if (!m || !(m[2] || m[3])) return undefined;
  const fraction = m[3] ?? '';
  const power = Number(m[4] ?? 0) - fraction.length;
  const n = BigInt(`${m[2]}${fraction}`) * (m[1] === '-' ? -1n : 1n);
  return power >= 0 ? { n: n * 10n ** BigInt(power), d: 1n } : { n, d: 10n ** BigInt(-power) };
}

function parseFraction(text: string): Fraction | undefined {
  const [above, below, ...rest] = text.split('/').map((part) => parseDecimal(part.trim()));
  if (!above || rest.length) return undefined;
  if (!text.includes('/')) return above;
  if (!below || below.n <= 0n) return undefined;
  return { n: above.n * below.d, d: above.d * below.n };
}

export const Q16_EXPECTED = 'a number from −32768 to below 32768, with a point or as a fraction,';

/**
 * Nearest q16 (ties towards plus infinity) of `0.25`, `-1`, `1e-2` or `1/9`; exact, without floats. What lies outside
 * is refused, and so is a comma: it may stand before decimals or between thousands.
 */
export function parseQ16(text: string): number | undefined {
  if (text.length > 40) return undefined;
  const f = parseFraction(text.trim().replace('−', '-'));
  const q16 = f && floorDiv(2n * f.n * BigInt(ONE) + f.d, 2n * f.d);
  return q16 === undefined || q16 !== saturate(q16) ? undefined : Number(q16);
}
