// What one client has received, compared with what the database says that it may see.
import type { Received } from './follower.js';

/** What a client may see: everything, nothing, or the rows of a user that are not hidden. */
export type Expected =
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'owner'; readonly id: string };

/** A line of the outbox. */
export interface Written {
  readonly id: string;
  readonly owner: string;
  readonly hidden: boolean;
}

export interface Comparison {
  readonly name: string;
  readonly expected: number;
  readonly lost: number;
  /** Entries with a new id that repeat a version of a row, or a row that is inserted once. */
  readonly doubled: number;
  /** Versions of a row that came after a later one. */
  readonly outOfOrder: number;
  /** Entries that the client may not see, or that are not in the database. */
  readonly leaked: number;
}

export class Ledger {
  readonly #ids = new Set<string>();
  readonly #versions = new Map<number, number>();
  readonly #entries = new Set<number>();
  #doubled = 0;
  #outOfOrder = 0;

  constructor(
    readonly name: string,
    readonly expected: Expected,
  ) {}

  get size(): number {
    return this.#ids.size;
  }

  readonly take = ({ id, table, row }: Received): void => {
    this.#ids.add(id);
    const key = Number(row['id']);
    if (table === 'entries') {
      if (this.#entries.has(key)) this.#doubled += 1;
      this.#entries.add(key);
      return;
    }
    const version = Number(row['version']);
    const last = this.#versions.get(key) ?? 0;
    if (version === last) this.#doubled += 1;
    if (version < last) this.#outOfOrder += 1;
    this.#versions.set(key, version);
  };

  /** How many of what the client may see has not arrived. */
  missing(written: readonly Written[]): number {
    return written.filter((one) => this.#maySee(one) && !this.#ids.has(one.id)).length;
  }

  compare(written: readonly Written[]): Comparison {
    const visible = new Set(written.filter((one) => this.#maySee(one)).map(({ id }) => id));
    return {
      name: this.name,
      expected: visible.size,
      lost: this.missing(written),
      doubled: this.#doubled,
      outOfOrder: this.#outOfOrder,
      leaked: [...this.#ids].filter((id) => !visible.has(id)).length,
    };
  }

  #maySee({ owner, hidden }: Written): boolean {
    const { expected } = this;
    switch (expected.kind) {
      case 'everything':
        return true;
      case 'nothing':
        return false;
      case 'owner':
        return owner === expected.id && !hidden;
    }
  }
}
