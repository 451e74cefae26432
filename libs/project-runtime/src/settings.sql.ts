import type { EngineQueries, TableReads, Transaction } from '#libs/database';

/** The stored settings of a project. */
export interface StoredSettings {
  readonly version: string;
  readonly groups: readonly {
    readonly name: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

const STORED = `select version::pg_catalog.text as version,
   (select coalesce(
      pg_catalog.json_agg(pg_catalog.json_build_object('name', name, 'value', value)), '[]'
    )
    from platform.app_settings) as groups
 from platform.settings_version`;

/** Returns all stored groups and the version they have together: one statement, so one snapshot and one round trip. */
export async function readSettings(db: EngineQueries): Promise<StoredSettings> {
  const [stored] = await db.queryAsEngine<StoredSettings>(STORED);
  return stored ?? { version: '0', groups: [] };
}

/** Returns the version over a connection of table requests; undefined if none is unused, or the login has no right to it. */
export async function peekVersion(db: TableReads): Promise<string | undefined> {
  if (!db.isIdleForTables) return undefined;
  const text = 'select version::pg_catalog.text from platform.settings_version';
  const row = await db.readForTables({ name: 'o_settings', text, values: [] });
  return row?.[0] ?? undefined;
}

/** The version of the settings, and their sealed text if it was written for this version. */
interface KeptSettings {
  readonly version: string;
  readonly sealed: string | null;
}

/**
 * Locks the settings until the transaction ends, and returns their sealed text; undefined if the database has no place
 * for it, because it was not migrated to this release.
 */
export async function lockKept(tx: Transaction): Promise<KeptSettings | undefined> {
  const { rows } = await tx.query<KeptSettings & { readonly hasPlace: boolean }>(
    `select version::pg_catalog.text as version, kept operator(pg_catalog.?) 'sealed' as "hasPlace",
       case when (kept operator(pg_catalog.->) 'sealed_version') operator(pg_catalog.=) (kept operator(pg_catalog.->) 'version')
         then kept operator(pg_catalog.->>) 'sealed' end as sealed
     from platform.settings_version v, pg_catalog.to_jsonb(v.*) kept for update of v`,
    [],
  );
  return rows[0]?.hasPlace === true ? rows[0] : undefined;
}

/** Returns the stored groups in a transaction that has the settings locked. */
export async function readLocked(tx: Transaction): Promise<StoredSettings['groups']> {
  const { rows } = await tx.query<StoredSettings>(STORED, []);
  return rows[0]?.groups ?? [];
}

/** Keeps the settings of a version as a sealed text; the transaction has {@link lockKept them locked}. */
export async function writeKept(tx: Transaction, version: string, sealed: string): Promise<void> {
  await tx.query(
    'update platform.settings_version set sealed = $1, sealed_version = $2::pg_catalog.int8',
    [sealed, version],
  );
}

/** Returns the version, locked until the transaction ends so that saves of all processes run one after the other. */
export async function lockSettingsVersion(tx: Transaction): Promise<string | undefined> {
  const { rows } = await tx.query<{ version: string }>(
    'select version::pg_catalog.text as version from platform.settings_version for update',
    [],
  );
  return rows[0]?.version;
}

/** Sets the version; the transaction holds its lock. */
export async function moveSettingsVersion(tx: Transaction, version: string): Promise<void> {
  await tx.query('update platform.settings_version set version = $1::pg_catalog.int8', [version]);
}

export async function upsertGroup(
  tx: Transaction,
  group: { readonly name: string; readonly value: unknown; readonly updatedBy: string | null },
): Promise<void> {
  await tx.query(
    `insert into platform.app_settings (name, value, updated_by) values ($1, $2::pg_catalog.jsonb, $3)
     on conflict (name) do update
       set value = excluded.value, updated_by = excluded.updated_by, updated_at = pg_catalog.now()`,
    [group.name, JSON.stringify(group.value), group.updatedBy],
  );
}

export async function deleteGroup(tx: Transaction, name: string): Promise<void> {
  await tx.query('delete from platform.app_settings where name operator(pg_catalog.=) $1', [name]);
}
