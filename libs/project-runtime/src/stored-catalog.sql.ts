import type { EngineQueries } from '#libs/database';

/** The current version of the schema, and the stored catalog for it. */
export interface StoredRow {
  readonly schemaVersion: string;
  /** What the stored content must have been made for. */
  readonly wantedFor: string;
  /** What the stored content was made for; null: nothing is stored for this version. */
  readonly madeFor: string | null;
  readonly sealed: string | null;
}

/** SQL of what the stored content must have been made for, with the form of the catalog as $1. */
export const WANTED_FOR = `pg_catalog.concat_ws(' ', $1::pg_catalog.text,
  pg_catalog.current_setting('server_version_num'),
  'platform.stored_catalog'::pg_catalog.regclass::pg_catalog.oid)`;

/** Returns undefined if the schema has no version. One plain `select`: it leaves nothing in the session. */
export async function readStored(db: EngineQueries, form: string): Promise<StoredRow | undefined> {
  const [row] = await db.queryAsEngine<StoredRow>(
    `select v.version::pg_catalog.text as "schemaVersion",
       ${WANTED_FOR} as "wantedFor",
       c.made_for as "madeFor", c.sealed
     from platform.schema_version v
     left join platform.stored_catalog c on c.schema_version = v.version`,
    [form],
  );
  return row;
}

/** Replaces the stored content. */
export async function writeStored(
  db: EngineQueries,
  row: { readonly schemaVersion: string; readonly madeFor: string; readonly sealed: string },
): Promise<void> {
  await db.queryAsEngine(
    `insert into platform.stored_catalog (schema_version, made_for, sealed) values ($1, $2, $3)
     on conflict (is_only_row) do update
     set schema_version = excluded.schema_version, made_for = excluded.made_for, sealed = excluded.sealed`,
    [row.schemaVersion, row.madeFor, row.sealed],
  );
}
