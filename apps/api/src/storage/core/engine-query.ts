import type { ProjectRuntime } from '#libs/project-runtime';

/** The rows of one statement as the platform, which no policy binds: one round trip, a transaction of its own. */
export async function queryEngine<R extends object>(
  project: ProjectRuntime,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly R[]> {
  const client = await project.db.enginePool.connect();
  try {
    const { rows } = await client.query<R>(text, values);
    return rows;
  } finally {
    client.release();
  }
}
