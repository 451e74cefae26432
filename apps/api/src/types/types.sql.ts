import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';

/** The version that grows with every change of the catalog. Throws DATABASE_ERROR when it is missing. */
export async function readSchemaVersion(tx: Transaction): Promise<string> {
  const { rows } = await tx.query<{ readonly version: string }>(
    'select version::pg_catalog.text from platform.schema_version',
  );
  const [row] = rows;
  if (row === undefined) throw fail('DATABASE_ERROR');
  return row.version;
}
