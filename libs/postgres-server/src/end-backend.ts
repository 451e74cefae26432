import type { Cluster } from './cluster.js';
import { findRunningServer } from './postmaster.js';
import { systemErrorCode } from './postgres-server-error.js';
import { parentOf } from './running-process.js';

/**
 * Ends a session of a cluster's server by the signal QUIT. Some functions of PostgreSQL run for minutes without
 * checking for a request to end, but QUIT takes effect at once. Returns false if the server has no session with this
 * pid.
 */
export async function endBackend({ dataDir }: Cluster, pid: number): Promise<boolean> {
  const server = await findRunningServer(dataDir);
  if (server === undefined || parentOf(pid) !== server.pid) return false;
  try {
    return process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false;
    throw error;
  }
}
