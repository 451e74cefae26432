import type { ProjectDatabase } from '#libs/database';

/** What background work needs of a project's database. */
export type WorkDatabase = Pick<ProjectDatabase, 'enginePool'>;

/** The rows of one statement, which is a transaction of its own as the platform's role. */
export async function engineRows<Row>(
  db: WorkDatabase,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = await db.enginePool.connect();
  try {
    const result = await client.query<Row>(text, values);
    return result.rows;
  } finally {
    client.release();
  }
}
