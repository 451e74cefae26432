// The content of a project's catalog, kept in its database: reading it from the system catalogs is the longest part of
// the first request of a process. It is sealed, because the project's own functions may write what the engine may.
import { createHash } from 'node:crypto';

import { CATALOG_SQL } from '#libs/catalog';
import type { EngineQueries } from '#libs/database';
import { AppError } from '#libs/errors';
import { open, OpenSecretError, seal, sealingKey, type SealingKey } from '#libs/secrets';

import { readStored, type StoredRow, writeStored } from './stored-catalog.sql.js';

/** Larger ones are read from the system catalogs each time; characters. */
const maxLength = 4_000_000;

/** The statement alone decides the form of its answer. */
const catalogForm = createHash('sha256').update(CATALOG_SQL).digest('hex').slice(0, 16);

export class StoredCatalog {
  private readonly key: SealingKey;

  constructor(
    private readonly db: EngineQueries,
    private readonly project: { readonly ref: string; readonly dataKey: Buffer },
  ) {
    this.key = sealingKey(project.dataKey);
  }

  /** Returns the content for the schema of now, as it was kept; undefined when there is none or it is not ours. */
  async find(): Promise<string | undefined> {
    const row = await readStored(this.db, catalogForm);
    if (!row?.sealed || row.madeFor !== row.wantedFor) return undefined;
    try {
      return open(this.key, row.sealed, this.contextOf(row)).toString('utf8');
    } catch (error) {
      if (error instanceof OpenSecretError) return undefined;
      throw error;
    }
  }

  /** Keeps the content of one version of the schema instead of the one before. A project that closes keeps nothing. */
  async keep(content: string, schemaVersion: string): Promise<void> {
    try {
      await this.replace(content, schemaVersion);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'SHUTTING_DOWN')) throw error;
    }
  }

  private async replace(content: string, schemaVersion: string): Promise<void> {
    if (content.length > maxLength) return;
    const row = await readStored(this.db, catalogForm);
    // The schema may be another one by now.
    if (row?.schemaVersion !== schemaVersion) return;
    const sealed = seal(this.key, content, this.contextOf(row));
    await writeStored(this.db, { schemaVersion, madeFor: row.wantedFor, sealed });
  }

  private contextOf({ schemaVersion, wantedFor }: StoredRow): string {
    return `project:${this.project.ref}/catalog/${schemaVersion}/${wantedFor}`;
  }
}
