// The connection limits of the projects' logins: those of owners, who connect to the database server themselves, follow
// the number of projects; those of requests follow the number of API processes.
import type { Logger } from 'pino';

import { limitLogins, type ProjectsContext, requestLimit } from '#libs/control-plane';

import type { Env } from './env.js';
import { deploymentConnections } from './database.js';

const intervalMs = 60_000;

/** Sets the limits now and every minute. The returned function stops that and waits for a running round. */
export function startConnectionShares(
  env: Env,
  { projects, log }: { readonly projects: ProjectsContext; readonly log: Logger },
): () => Promise<void> {
  let lastWarning: string | undefined;
  let lastAtLimit = '';
  const requests = requestLimit(env);
  const share = async (): Promise<void> => {
    try {
      const { warning, projectsAtLimit } = await limitLogins(projects, {
        needed: deploymentConnections(env),
        requests,
        onFailure: (err) => log.warn({ err }, 'the connection limit of a login could not be set'),
      });
      if (warning !== undefined && warning !== lastWarning) log.warn(warning);
      lastWarning = warning;
      if (projectsAtLimit.length > 0 && String(projectsAtLimit) !== lastAtLimit) {
        log.warn(
          { refs: projectsAtLimit, limit: requests },
          'projects use all connections for requests; set API_PROCESSES to the number of API processes and PROJECT_CONNECTIONS to theirs, where the worker runs',
        );
      }
      lastAtLimit = String(projectsAtLimit);
    } catch (err) {
      log.warn({ err }, 'the connection limits of logins could not be set');
    }
  };
  let running: Promise<void> | undefined;
  const tick = (): void => {
    running ??= share().finally(() => (running = undefined));
  };
  tick();
  const timer = setInterval(tick, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
