import type { EngineQueries, Transaction } from '#libs/database';

/** The stored settings of a project. */
export interface StoredSettings {
  readonly version: string;
  readonly groups: readonly {
    readonly name: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

/** Returns all stored groups and the version they have together: one statement, so one snapshot and one round trip. */
export async function readSettings(db: EngineQueries): Promise<StoredSettings> {
  const [stored] = await db.queryAsEngine<{ version: string; groups: StoredSettings['groups'] }>(
    `select version::pg_catalog.text as version,
       (select coalesce(
          pg_catalog.json_agg(pg_catalog.json_build_object('name', name, 'value', value)), '[]'
        )
        from platform.app_settings) as groups
     from platform.settings_version`,
  );
  return stored ?? { version: '0', groups: [] };
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
