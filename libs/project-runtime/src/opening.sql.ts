import type { TableReads } from '#libs/database';

import { type StoredRow, WANTED_FOR } from './stored-catalog.sql.js';

/** The settings and the catalog of a project, as they are kept for processes that open it. */
export interface OpeningRow {
  readonly version: string;
  /** The settings of this version; null: they are not kept. */
  readonly sealed: string | null;
  readonly catalog: StoredRow;
}

const OPENING = `select s.version::pg_catalog.text,
    case when s.sealed_version operator(pg_catalog.=) s.version then s.sealed end,
    v.version::pg_catalog.text, ${WANTED_FOR}, c.made_for, c.sealed
  from platform.settings_version s
  cross join platform.schema_version v
  left join platform.stored_catalog c
    on c.schema_version operator(pg_catalog.=) v.version`;

/** Returns undefined if the database was not migrated to this release, or has no version. */
export async function readOpeningRow(
  db: TableReads,
  catalogForm: string,
): Promise<OpeningRow | undefined> {
  const query = { name: 'o_opening', text: OPENING, values: [catalogForm] };
  const row = await db.readForTables(query);
  const [version, sealed = null, schemaVersion, wantedFor, madeFor = null, catalog = null] =
    row ?? [];
  if (version == null || schemaVersion == null || wantedFor == null) return undefined;
  return { version, sealed, catalog: { schemaVersion, wantedFor, madeFor, sealed: catalog } };
}
