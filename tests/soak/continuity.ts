// What a client of a long run has received, without keeping it: the last version of each row, and how many versions
// between two of them have not come.
import type { Book } from '../realtime-proof/ground.js';
import type { Expected } from '../realtime-proof/ledger.js';
import type { Received } from '../realtime-proof/follower.js';
import { hiddenEach } from '../realtime-proof/row-writers.js';

/** A row of the table as it is at the end. */
export interface FinalRow {
  readonly id: number;
  readonly owner: string;
  readonly version: number;
}

export class Continuity implements Book {
  received = 0;
  /** Entries that the client must not receive. */
  leaked = 0;
  /** Versions that came again, or after a later one. */
  disordered = 0;
  /** Versions that were left out. */
  lost = 0;
  entries = 0;
  readonly #versions = new Map<number, number>();

  constructor(
    readonly name: string,
    readonly expected: Expected,
  ) {}

  readonly take = ({ table, row }: Received): void => {
    this.received += 1;
    if (!this.#maySee(String(row['owner'])) || (row['hidden'] === true && this.#isOwner)) {
      this.leaked += 1;
    }
    if (table === 'entries') this.entries += 1;
    else this.#note(Number(row['id']), Number(row['version']));
  };

  /** How many visible versions of these rows have not come after the last ones. */
  behind(rows: readonly FinalRow[]): number {
    return rows
      .filter(({ owner }) => this.#maySee(owner))
      .reduce((sum, { id, version }) => sum + this.#between(this.#lastOf(id), version + 1), 0);
  }

  /** Whether the client receives rows of this owner. */
  sees(owner: string, isHidden: boolean): boolean {
    return this.#maySee(owner) && !(isHidden && this.#isOwner);
  }

  #note(id: number, version: number): void {
    const last = this.#lastOf(id);
    if (version <= last) this.disordered += 1;
    else this.lost += this.#between(last, version);
    this.#versions.set(id, Math.max(last, version));
  }

  /** The visible versions after the first and before the second. */
  #between(first: number, second: number): number {
    const count = Math.max(0, second - first - 1);
    if (!this.#isOwner) return count;
    return count - (Math.floor((second - 1) / hiddenEach) - Math.floor(first / hiddenEach));
  }

  #lastOf(id: number): number {
    return this.#versions.get(id) ?? 0;
  }

  get #isOwner(): boolean {
    return this.expected.kind === 'owner';
  }

  #maySee(owner: string): boolean {
    const { expected } = this;
    switch (expected.kind) {
      case 'everything':
        return true;
      case 'nothing':
        return false;
      case 'owner':
        return owner === expected.id;
    }
  }
}
