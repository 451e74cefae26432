// How many filters clients may have: they are kept in memory, and each is evaluated on changes of its table.
import { filterBytes, type JoinConfig, tooMany } from '#libs/realtime-core';

import type { Channel, Member } from './member.js';

/** Filters of a connection on one table. */
const maxOnTable = 200;
/** What the filters of a connection take in memory, and those of a project in this process. */
const maxBytes = 131_072;
const maxProjectBytes = 64 * 1024 * 1024;

export class FilterLimits {
  #bytes = 0;

  /**
   * Counts the filters of a channel that is about to be added until the returned function is called: other joins go on
   * while its tables are looked up. Throws TOO_MANY_BINDINGS if its client would have more than it may.
   */
  reserve(member: Pick<Member, 'channels'>, topic: string, config: JoinConfig): () => void {
    this.#check(member, topic, config);
    this.add({ config });
    return () => this.remove({ config });
  }

  #check({ channels }: Pick<Member, 'channels'>, topic: string, config: JoinConfig): void {
    const before = channels.get(topic);
    const others = [...channels.values()].filter((channel) => channel !== before);
    const configs = [...others.map((channel) => channel.config), config];
    const onTable = new Map<string, number>();
    for (const { schema, table, filter } of configs.flatMap(({ bindings }) => bindings)) {
      if (!filter) continue;
      const key = JSON.stringify([schema, table]);
      onTable.set(key, (onTable.get(key) ?? 0) + 1);
    }
    // A channel without filters is never refused.
    const own = bytesOf(config);
    if (own === 0) return;
    if (Math.max(...onTable.values()) > maxOnTable) {
      throw tooMany('A connection', maxOnTable, 'filters on one table');
    }
    const ofConnection = configs.reduce((sum, one) => sum + bytesOf(one), 0);
    if (ofConnection > maxBytes) {
      throw tooMany('A connection', maxBytes, 'bytes of filters');
    }
    const ofProject = this.#bytes + own - (before ? bytesOf(before.config) : 0);
    if (ofProject > maxProjectBytes) {
      throw tooMany('A project', maxProjectBytes, 'bytes of filters');
    }
  }

  add({ config }: Pick<Channel, 'config'>): void {
    this.#bytes += bytesOf(config);
  }

  remove({ config }: Pick<Channel, 'config'>): void {
    this.#bytes -= bytesOf(config);
  }
}

function bytesOf({ bindings }: JoinConfig): number {
  return bindings.reduce((sum, { filter }) => sum + (filter ? filterBytes(filter) : 0), 0);
}
