import type { PostgresPool } from 'kysely';

/** Connections of the project's engine role. Owned by whoever made them; nothing here ends them. */
export type EnginePool = PostgresPool;

/** The rows of one statement on a connection of its own. */
export async function queryRows<R>(
  pool: EnginePool,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly R[]> {
  const client = await pool.connect();
  try {
    const result = await client.query<R>(text, values);
    return result.rows;
  } finally {
    client.release();
  }
}
