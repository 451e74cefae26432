// Ends a reservation whose upload has failed. If the database is busy, it tries again: until then the reservation takes
// space in its bucket.
import { AppError } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { releaseUpload } from '../core/reservations.js';

/** After the last of them it is left to the end of the reservation's time. */
const retriesAfterMs = [2_000, 5_000, 15_000, 60_000, 240_000];

/** Never rejects; resolves after the first attempt. */
export async function releaseSurely(
  project: ProjectRuntime,
  id: string,
  onError: (error: unknown, doing: string) => void,
): Promise<void> {
  const attempt = async (past: number): Promise<void> => {
    try {
      await releaseUpload(project, id);
    } catch (error) {
      const delayMs = retriesAfterMs[past];
      if (delayMs === undefined || !mayPass(error)) onError(error, 'release an upload');
      else setTimeout(() => void attempt(past + 1), delayMs).unref();
    }
  };
  await attempt(0);
}

/** Whether the project may be available again; a closed project will not be. */
function mayPass(error: unknown): boolean {
  return error instanceof AppError && error.status === 503 && error.code !== 'SHUTTING_DOWN';
}
