// What the engine keeps for the length of a call, its request, its transaction and its messages, lies in storages of
// Node that follow every promise. While one of them is on, Node 20 and 22 run hooks for each promise of the process: after the
// first sign-in, tables and files took a fifth longer. So the storages rest when no call is running.
import type { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';

import {
  getCurrentAuthContextAsyncLocalStorage,
  getCurrentDBAdapterAsyncLocalStorage,
  getRequestStateAsyncLocalStorage,
} from '@better-auth/core/context';

import { outgoingMessages } from './outgoing-messages.js';

type Storage<T> = Pick<AsyncLocalStorage<T>, 'run' | 'disable'>;

/** Turns storages off when the last call in any of them has ended. The next call turns its own on again. */
export class RestingStorages {
  readonly #storages = new Set<Pick<Storage<unknown>, 'disable'>>();
  #running = 0;

  /** Work that outlives its call, and is not awaited by it, finds the storage empty. */
  add<T>(storage: Storage<T>): void {
    if (this.#storages.has(storage)) return;
    this.#storages.add(storage);
    const run: Storage<T>['run'] = storage.run.bind(storage);
    storage.run = <R, A extends unknown[]>(store: T, call: (...args: A) => R, ...args: A): R =>
      this.#during(() => run(store, call, ...args));
  }

  #during<R>(call: () => R): R {
    this.#running++;
    let result: R | undefined;
    try {
      result = call();
      return result;
    } finally {
      const end = (): void => this.#end();
      if (types.isPromise(result)) result.then(end, end);
      else end();
    }
  }

  #end(): void {
    this.#running--;
    if (this.#running > 0) return;
    for (const storage of this.#storages) storage.disable();
  }
}

const ofEngine = new RestingStorages();

/** From this release of Node on, a storage follows promises without hooks, and costs nothing while it is on. */
const firstWithoutHooks = 24;
export const storagesHaveHooks = Number.parseInt(process.versions.node, 10) < firstWithoutHooks;

/** Makes the storages of the engine rest between calls; for the whole process, to be called before the first one. */
export async function restEngineContext(): Promise<void> {
  if (!storagesHaveHooks) return;
  ofEngine.add(outgoingMessages);
  ofEngine.add(await getRequestStateAsyncLocalStorage());
  ofEngine.add(await getCurrentDBAdapterAsyncLocalStorage());
  ofEngine.add(await getCurrentAuthContextAsyncLocalStorage());
}
