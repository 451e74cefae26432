/** Connections to the database of a project; the pool of pg is one. The caller owns it, and nothing here ends it. */
export interface HookPool {
  connect(): Promise<HookConnection>;
}

interface HookConnection {
  query<R>(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly R[] }>;
  release(): void;
}

/** Returns the rows of one statement, which runs on a connection of its own. */
export async function queryRows<R>(
  pool: HookPool,
  text: string,
  values: readonly unknown[],
): Promise<readonly R[]> {
  const connection = await pool.connect();
  try {
    return (await connection.query<R>(text, values)).rows;
  } finally {
    connection.release();
  }
}
