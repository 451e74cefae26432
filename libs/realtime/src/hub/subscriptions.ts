// Which channels of this process want the changes of which table, by the tables' numbers.
import type { Channel } from './member.js';
import type { BoundTable } from './ports.js';

export class Subscriptions {
  readonly #byTable = new Map<number, Set<Channel>>();

  add(channel: Channel): void {
    for (const table of tablesOf(channel)) {
      const channels = this.#byTable.get(table) ?? new Set();
      this.#byTable.set(table, channels.add(channel));
    }
  }

  remove(channel: Channel): void {
    for (const table of tablesOf(channel)) {
      const channels = this.#byTable.get(table);
      if (channels?.delete(channel) && channels.size === 0) this.#byTable.delete(table);
    }
  }

  to(table: number): ReadonlySet<Channel> | undefined {
    return this.#byTable.get(table);
  }

  /** Every channel with a binding. */
  all(): ReadonlySet<Channel> {
    return new Set([...this.#byTable.values()].flatMap((channels) => [...channels]));
  }
}

/** The numbers of the tables to which a channel is bound. */
export function tablesOf({ bound }: Channel): readonly number[] {
  return [...new Set(bound.map(({ table }) => table))];
}

/** Equal for channels with the same bindings to the same tables, which ask for the same changes. */
export function boundKeyOf(bound: readonly BoundTable[]): string {
  return bound.map(({ id, table }) => `${id}:${table}`).join(' ');
}
