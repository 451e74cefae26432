// Whether the parts of a deployment work, as far as the process of the console can see.
import type { DatabaseServerState, FleetState } from '#libs/control-plane';

/** How long the API has for its answer; an operator waits for it. */
const answerMs = 2_000;

export interface PartHealth {
  readonly name: 'console' | 'api' | 'worker' | 'database';
  /** `unknown`: nothing shows whether it works. */
  readonly state: 'good' | 'problem' | 'unknown';
  /** For people. */
  readonly detail: string;
}

/** Asks the API, as the console reaches it, whether it can serve requests. */
export async function checkApi(apiInternalUrl: string): Promise<PartHealth> {
  const name = 'api';
  try {
    const response = await fetch(`${apiInternalUrl}/readyz`, {
      redirect: 'error',
      signal: AbortSignal.timeout(answerMs),
    });
    await response.body?.cancel();
    return response.ok
      ? { name, state: 'good', detail: 'It is ready for requests' }
      : { name, state: 'problem', detail: `It is not ready: /readyz returns ${response.status}` };
  } catch (error) {
    // fetch has no error classes of its own: whatever it throws means that there was no usable answer.
    const reason = error instanceof Error && error.name === 'TimeoutError' ? 'in time' : 'at all';
    return { name, state: 'problem', detail: `It does not answer ${reason} (API_INTERNAL_URL)` };
  }
}

/** Returns whether a worker takes up the work on projects. */
export function workerHealth({ work }: FleetState, roles: readonly string[]): PartHealth {
  const name = 'worker';
  if (work.running > 0) return { name, state: 'good', detail: 'It works on projects now' };
  if (work.overdue > 0) {
    return { name, state: 'problem', detail: `No worker takes up the work that is due` };
  }
  return roles.includes('worker')
    ? { name, state: 'good', detail: 'It runs in this process; no work is overdue' }
    : { name, state: 'unknown', detail: 'It runs in another process; no work is overdue' };
}

/** Whether the database server has connections left. */
export function databaseHealth({ connections }: DatabaseServerState): PartHealth {
  const name = 'database';
  const { open, limit, reserved } = connections;
  return open < limit - reserved
    ? { name, state: 'good', detail: `${open} of ${limit} connections are open` }
    : { name, state: 'problem', detail: `All connections are in use: ${open} of ${limit}` };
}
