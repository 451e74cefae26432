import type { PostgresPool } from 'kysely';

/** Connections of the project's engine role. The code that opened them closes them. */
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

/** Runs one statement of a transaction. */
export type RunStatement = <R>(text: string, values?: readonly unknown[]) => Promise<readonly R[]>;

/** Runs `work` in a transaction, which is rolled back when it throws. */
export async function inEngineTransaction<T>(
  pool: EnginePool,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const run: RunStatement = async <R>(text: string, values: readonly unknown[] = []) =>
    (await client.query<R>(text, values)).rows;
  try {
    await run('begin');
    const result = await work(run);
    await run('commit');
    return result;
  } catch (error) {
    // A connection that cannot roll back is lost; the first failure is the one that says why.
    await run('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
