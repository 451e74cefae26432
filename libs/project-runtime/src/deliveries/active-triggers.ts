// The active triggers of a project, as this process has read them last. Each process reads them again after a few
// seconds; a change in this one is known at once.
import type { EngineQueries } from '#libs/database';

import { type ActiveTrigger, listActiveTriggers } from './triggers.sql.js';

const freshMs = 5_000;

export class ActiveTriggers {
  #known: Promise<ReadonlyMap<string, ActiveTrigger>> | undefined;
  #readAt = -Infinity;

  constructor(
    private readonly db: EngineQueries,
    private readonly now: () => number,
  ) {}

  /** By id. Rejects when the database cannot be reached. */
  read(): Promise<ReadonlyMap<string, ActiveTrigger>> {
    if (!this.#known || this.now() - this.#readAt > freshMs) {
      this.#readAt = this.now();
      const reading = listActiveTriggers(this.db).then(
        (rows) => new Map(rows.map((row) => [row.id, row])),
      );
      reading.catch(() => {
        if (this.#known === reading) this.forget();
      });
      this.#known = reading;
    }
    return this.#known;
  }

  async mayHaveAny(): Promise<boolean> {
    return (await this.read()).size > 0;
  }

  /** The next call reads them again. */
  forget(): void {
    this.#known = undefined;
  }
}
