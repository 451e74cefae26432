import { AppError } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

/** The health response of the specification. */
export interface Health {
  readonly message: string;
  readonly status: 200 | 503;
  readonly db: 'connected' | 'disconnected';
}

/** Asks the project's database for a sign of life. A database that fails is an answer, not an error. */
export async function probe(project: ProjectRuntime): Promise<Health> {
  try {
    await project.db.resolveCaller({ kind: 'none' });
    return { message: 'OK', status: 200, db: 'connected' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { message: error.message, status: 503, db: 'disconnected' };
  }
}
