/** Engines without explicit resource management get the symbols that transpilers of `using` look for. */
export const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
export const asyncDisposeSymbol: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** Frees what a caller forgot to dispose. The callback must not hold the object it is registered for. */
export const closeWhenUnreachable = new FinalizationRegistry<() => void>((close) => close());
