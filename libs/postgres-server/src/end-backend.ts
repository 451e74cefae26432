import type { Cluster } from './cluster.js';
import { findRunningServer } from './postmaster.js';
import { systemErrorCode } from './postgres-server-error.js';
import { parentOf } from './running-process.js';

/**
 * Ends a session of a cluster's server without asking it. Some functions of PostgreSQL run for minutes without a look
 * at requests to end; the signal QUIT is obeyed at once. Returns false when the server has no session with this pid.
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
