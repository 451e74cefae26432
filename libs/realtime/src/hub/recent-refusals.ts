// What clients of this process were refused last, and which channels and connections the server has ended, for
// administrators who come later. Refusals of a client that tries again and again are one entry with their number, and a
// client has few entries, so that it does not push out those of others.
import type { ClientEvent } from '#libs/realtime-core';

/** What a client was refused, or that the server has ended it. */
export interface Refusal {
  /** `ended`: the server has ended the channel or, without a topic, the connection. */
  readonly kind: 'refused' | 'ended';
  /** The frame that was refused, or `connect`. Absent for what was ended. */
  readonly event?: ClientEvent | 'connect';
  readonly topic?: string;
  readonly code: string;
  readonly message: string;
  /** Names the connection; absent if it was refused itself. */
  readonly client?: string;
  readonly role?: string;
  /** The id of the user; absent without one. */
  readonly user?: string;
}

/** A refusal, and how often it has happened. */
export interface RecentRefusal extends Refusal {
  /** How often it has happened. */
  readonly count: number;
  /** When it happened last; ISO 8601. */
  readonly at: string;
  /** On the newest entry of a connection: how many earlier refusals of it are not listed. Absent if all are. */
  readonly omitted?: number;
}

/** Entries that are kept. */
const maxKept = 100;
/** Entries of one connection that are kept. */
const maxPerClient = 10;
/** Messages quote what clients have sent; longer ones are cut off. */
const maxMessageLength = 500;

/**
 * The beginning of a text that is kept. A slice alone would keep the whole text in memory, which a client may have made as
 * long as a frame can be.
 */
export function shortCopy(text: string, maxLength: number): string {
  return Buffer.from(text.slice(0, maxLength)).toString();
}

type Entry = readonly [key: string, refusal: RecentRefusal];

export class RecentRefusals {
  /** By what is the same; those that happened last are last. */
  readonly #kept = new Map<string, RecentRefusal>();
  /** By connection, of those with an entry: how many refusals have lost theirs. */
  readonly #omitted = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  note(refusal: Refusal): void {
    const { kind, code, topic, client } = refusal;
    const key = JSON.stringify([kind, refusal.event, code, topic, client]);
    const count = (this.#kept.get(key)?.count ?? 0) + 1;
    const message = shortCopy(refusal.message, maxMessageLength);
    this.#kept.delete(key);
    this.#kept.set(key, { ...refusal, message, count, at: new Date(this.now()).toISOString() });
    const own = client === undefined ? [] : this.#entriesOf(client);
    if (own.length > maxPerClient) this.#dropFirst(own);
    if (this.#kept.size > maxKept) this.#dropFirst([...this.#kept]);
  }

  /** The newest first. */
  list(): readonly RecentRefusal[] {
    const omitted = new Map(this.#omitted);
    return [...this.#kept.values()].toReversed().map((refusal) => {
      const { client = '' } = refusal;
      const count = omitted.get(client);
      omitted.delete(client);
      return count === undefined ? refusal : { ...refusal, omitted: count };
    });
  }

  #entriesOf(client: string): readonly Entry[] {
    return [...this.#kept].filter(([, refusal]) => refusal.client === client);
  }

  #dropFirst([first]: readonly Entry[]): void {
    if (!first) return;
    const [key, { client, count }] = first;
    this.#kept.delete(key);
    if (client === undefined) return;
    if (this.#entriesOf(client).length === 0) this.#omitted.delete(client);
    else this.#omitted.set(client, (this.#omitted.get(client) ?? 0) + count);
  }
}
