import type { EngineQueries } from '#libs/database';

/** The version of the schema, which changes with every table, policy and grant. */
export async function readSchemaVersion(db: EngineQueries): Promise<string> {
  const [row] = await db.queryAsEngine<{ version: string }>(
    'select v.version::pg_catalog.text as version from platform.schema_version v',
  );
  return row?.version ?? '';
}
