// The content of a project's catalog, stored in its database: reading it from the system catalogs is the longest part
// of the first request of a process. It is sealed, because the project's own functions may write to the tables of the
// engine.
import { createHash } from 'node:crypto';

import { CATALOG_SQL } from '#libs/catalog';
import type { EngineQueries } from '#libs/database';
import { AppError } from '#libs/errors';
import { open, OpenSecretError, seal, sealingKey, type SealingKey } from '#libs/secrets';

import { readStored, type StoredRow, writeStored } from './stored-catalog.sql.js';

/** The longest text that the table accepts. Larger catalogs are read from the system catalogs each time. */
const maxSealedLength = 8_000_000;

/** The statement alone decides the form of its result. */
export const catalogForm = createHash('sha256').update(CATALOG_SQL).digest('hex').slice(0, 16);

export class StoredCatalog {
  private readonly key: SealingKey;
  /** What the content must be made for, according to the last {@link find}. */
  private wantedFor: string | undefined;

  constructor(
    private readonly db: EngineQueries,
    private readonly project: { readonly ref: string; readonly dataKey: Buffer },
    /** What was read when the project was opened, for the first {@link find}. */
    private opened?: StoredRow,
  ) {
    this.key = sealingKey(project.dataKey);
  }

  /** Returns the stored content for the current schema; undefined if there is none, or its seal is not ours. */
  async find(): Promise<string | undefined> {
    const row = this.opened ?? (await readStored(this.db, catalogForm));
    this.opened = undefined;
    this.wantedFor = row?.wantedFor;
    if (!row?.sealed || row.madeFor !== row.wantedFor) return undefined;
    try {
      const context = this.contextOf(row.schemaVersion, row.wantedFor);
      return open(this.key, row.sealed, context).toString('utf8');
    } catch (error) {
      if (error instanceof OpenSecretError) return undefined;
      throw error;
    }
  }

  /** Stores the content after a {@link find} without a result. A project that is being closed stores nothing. */
  async keep(content: string, schemaVersion: string): Promise<void> {
    const madeFor = this.wantedFor;
    if (madeFor === undefined) return;
    const sealed = seal(this.key, content, this.contextOf(schemaVersion, madeFor));
    if (sealed.length > maxSealedLength) return;
    try {
      await writeStored(this.db, { schemaVersion, madeFor, sealed });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'SHUTTING_DOWN')) throw error;
    }
  }

  private contextOf(schemaVersion: string, madeFor: string): string {
    return `project:${this.project.ref}/catalog/${schemaVersion}/${madeFor}`;
  }
}
