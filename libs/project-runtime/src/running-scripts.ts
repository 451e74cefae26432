// The scripts of the SQL editor that run in this process for one project, by the id that their author gave them.
import { fail } from '#libs/errors';

/** A script while it runs. */
export interface RunningScript extends Disposable {
  /** Aborts when the author cancels the script. */
  readonly signal: AbortSignal;
}

export class RunningScripts {
  readonly #cancels = new Map<string, AbortController>();

  /** Dispose of the result when the script has ended. Throws CONFLICT if the author runs another with this id. */
  start(author: string, id: string): RunningScript {
    const key = keyOf(author, id);
    if (this.#cancels.has(key)) {
      throw fail('CONFLICT', { reason: `A script with the id ${id} is running` });
    }
    const cancel = new AbortController();
    this.#cancels.set(key, cancel);
    return { signal: cancel.signal, [Symbol.dispose]: () => void this.#cancels.delete(key) };
  }

  /** Returns false if the author runs no script with this id in this process. */
  cancel(author: string, id: string): boolean {
    const found = this.#cancels.get(keyOf(author, id));
    found?.abort();
    return found !== undefined;
  }
}

/** Ids are UUIDs, which are the same in either case of letters. */
const keyOf = (author: string, id: string): string => `${author} ${id.toLowerCase()}`;
