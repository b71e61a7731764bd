import type { Bridge } from './bridge.js';
import { closeWhenUnreachable } from './disposal.js';
import { BitexactError, unwrap } from './errors.js';
import type { Outcome } from './errors.js';
import type { Instance } from './instance.js';

type Close = 'modelClose' | 'photoClose' | 'runClose';

/** What lives in wasm memory under a number, until its owner is disposed of or forgotten. */
export class Held {
  readonly #owner: object;
  readonly #instance: Instance;
  readonly #life: number;
  readonly #id: number;
  readonly #what: string;
  readonly #close: () => void;

  /** `close` is a name, as a function would keep what surrounds it: the bytes of a file. */
  constructor(owner: object, instance: Instance, id: number, what: 'run' | 'model', close: Close) {
    this.#owner = owner;
    this.#instance = instance;
    this.#life = instance.life;
    this.#id = id;
    this.#what = what;
    this.#close = closer(instance, id, close);
    closeWhenUnreachable.register(owner, this.#close, owner);
  }

  call<T>(use: (bridge: Bridge, id: number) => Outcome<T>): T {
    if (this.#life !== this.#instance.life) {
      throw new BitexactError('internal', `this ${this.#what} was lost when the engine failed and was restarted`);
    }
    return unwrap(this.#instance.call((bridge) => use(bridge, this.#id)));
  }

  dispose(): void {
    closeWhenUnreachable.unregister(this.#owner);
    this.#close();
  }
}

/** Numbers start again with every life of the instance: what an earlier one held has nothing left to close. */
function closer(instance: Instance, id: number, close: Close): () => void {
  const { life } = instance;
  return () => {
    if (life === instance.life) instance.call((bridge) => bridge[close](id));
  };
}

/** What is told of an object is a record: nobody changes it, at any depth. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
