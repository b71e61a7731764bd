import type { Endpoint } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { Worker as NodeWorker } from 'node:worker_threads';

import { BitexactError } from './errors.js';
import { inNode, nodeModule, siblingFile } from './node.js';

/** What browsers' workers and Node's have in common, for this purpose. */
interface Port {
  readonly endpoint: Endpoint;
  onFailure(tell: (what: string) => void): void;
  /** Whether the worker keeps the process alive. */
  busy(yes: boolean): void;
  terminate(): unknown;
}

/** A worker whose death is noticed: every call that waits for it then fails instead of waiting for ever. */
export class WorkerHandle {
  readonly #port: Port;
  readonly #waiting = new Set<(cause: BitexactError) => void>();
  #gone: BitexactError | undefined;

  private constructor(port: Port) {
    this.#port = port;
    port.busy(false);
    port.onFailure((what) => this.#end(new BitexactError('internal', `the worker failed: ${what}`)));
  }

  static async open(): Promise<WorkerHandle> {
    return new WorkerHandle(inNode ? await nodePort() : browserPort());
  }

  get endpoint(): Endpoint {
    return this.#port.endpoint;
  }

  get gone(): boolean {
    return this.#gone !== undefined;
  }

  /** The promise of a call, or the news that the worker is gone. */
  guard<T>(call: Promise<T>): Promise<T> {
    if (this.#gone) return Promise.reject(this.#gone);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      this.#port.busy(true);
      call.then(resolve, (cause) => reject(asArgumentError(cause))).finally(() => {
        this.#waiting.delete(reject);
        // An answer that comes while the worker is ended must not let the process go before that end.
        if (!this.#gone) this.#port.busy(this.#waiting.size > 0);
      });
    });
  }

  async close(): Promise<void> {
    this.#end(new BitexactError('argument', 'this engine has been disposed'));
    await this.#port.terminate();
  }

  #end(why: BitexactError): void {
    this.#gone ??= why;
    for (const reject of this.#waiting) reject(this.#gone);
    this.#waiting.clear();
  }
}

/** The worker answers with outcomes, so a call itself fails only when its arguments cannot be sent. */
function asArgumentError(cause: unknown): BitexactError {
  return new BitexactError('argument', cause instanceof Error ? cause.message : String(cause));
}

function browserPort(): Port {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return {
    endpoint: worker,
    onFailure: (tell) => {
      worker.addEventListener('error', (event) => tell(event.message || 'its script could not be loaded'));
      worker.addEventListener('messageerror', () => tell('a message could not be read'));
    },
    busy: () => undefined,
    terminate: () => worker.terminate(),
  };
}

async function nodePort(): Promise<Port> {
  const { Worker } = await nodeModule<typeof import('node:worker_threads')>('node:worker_threads');
  // Flags of this process, such as --input-type, are not for a script of ours.
  const worker: NodeWorker = new Worker(siblingFile('./worker.js'), { execArgv: [] });
  return {
    endpoint: nodeEndpoint(worker),
    onFailure: (tell) => {
      worker.on('error', (cause) => tell(cause.message));
      worker.on('exit', (code) => tell(`it ended with ${code}`));
    },
    busy: (yes) => (yes ? worker.ref() : worker.unref()),
    terminate: () => worker.terminate(),
  };
}
