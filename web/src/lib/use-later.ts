import { useEffect, useState } from 'preact/hooks';

/**
 * What a promise came to; the value before it stays until then. A failure leaves it, too: what is asked of a run fails
 * only when a newer run has taken its place, and then another answer is on its way.
 */
export function useLater<T>(ask: () => Promise<T> | undefined, of: readonly unknown[]): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    let latest = true;
    ask()?.then((v) => latest && setValue(v), () => undefined);
    return () => { latest = false; };
  }, of);
  return value;
}
