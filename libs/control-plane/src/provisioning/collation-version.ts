// The collation version of a database: that of the library of the operating system (or of ICU) that sorts its texts. If
// an update of the system changes it, PostgreSQL refuses to copy the database until its indexes are built again and
// `alter database … refresh collation version` was run (PostgreSQL manual, ALTER DATABASE).
import { type Client, DatabaseError } from 'pg';

/** The refusal has no SQLSTATE of its own. */
const internalError = 'XX000';

/** The condition over `pg_database` that PostgreSQL may copy the database; one without a version is not checked. */
export const hasCurrentCollation = `(datcollversion is null or datcollversion
  is not distinct from pg_catalog.pg_database_collation_actual_version(oid))`;

/** Returns whether `error` is the refusal to copy `database` because of its collation version. */
export async function isCollationRefusal(
  client: Client,
  database: string,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof DatabaseError) || error.code !== internalError) return false;
  const { rowCount } = await client.query(
    `select from pg_catalog.pg_database where datname = $1 and not ${hasCurrentCollation}`,
    [database],
  );
  return rowCount !== 0;
}
