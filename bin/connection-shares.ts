// Owners of projects connect to the database server themselves. Their limits follow the number of projects.
import type { Logger } from 'pino';

import { limitOwners, type ProjectsContext } from '#libs/control-plane';

import type { Env } from './env.js';
import { platformConnections } from './database.js';

const intervalMs = 60_000;

/** Sets the limits now and every minute. The returned function stops that and waits for a running round. */
export function startConnectionShares(
  env: Env,
  { projects, log }: { readonly projects: ProjectsContext; readonly log: Logger },
): () => Promise<void> {
  let lastWarning: string | undefined;
  const share = async (): Promise<void> => {
    try {
      const { warning } = await limitOwners(projects, {
        needed: platformConnections(env),
        onFailure: (err) => log.warn({ err }, 'the connection limit of a login could not be set'),
      });
      if (warning !== undefined && warning !== lastWarning) log.warn(warning);
      lastWarning = warning;
    } catch (err) {
      log.warn({ err }, 'the connection limits of owners could not be set');
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
