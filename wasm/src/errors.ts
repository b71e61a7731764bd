import type { ErrorCode } from './types.js';

/** What an error is about: a byte of a file, a node or tensor of a model, an element of a tensor. */
export interface Where {
  readonly place: 'byte' | 'node' | 'tensor' | 'element';
  readonly at: number;
}

/** The plain form in which errors cross from wasm and from workers. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly place?: Where['place'];
  readonly at?: number;
}

/** Every failure of the engine. `where` is what the message is about, when it has a place. */
export class BitexactError extends Error {
  override readonly name = 'BitexactError';
  readonly code: ErrorCode;
  declare readonly where?: Where;

  constructor(code: ErrorCode, message: string, where?: Where) {
    super(message);
    this.code = code;
    if (where) this.where = where;
  }
}

/** A value, or the reason why there is none: errors are data until they reach the caller's side. */
export type Outcome<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: ErrorData; readonly value?: undefined };

export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.error) throw toError(outcome.error);
  return outcome.value as T;
}

export function toError({ code, message, place, at }: ErrorData): BitexactError {
  return new BitexactError(code, message, place === undefined ? undefined : { place, at: at ?? 0 });
}

export function toData(error: unknown): ErrorData {
  if (!(error instanceof BitexactError)) return { code: 'internal', message: String(error) };
  const { code, message, where } = error;
  return where ? { code, message, ...where } : { code, message };
}
