// Looks after the logins of projects: code of a project can change the password of the login that runs it.
import type { Logger } from 'pino';

import { type ProjectsContext, repairChangedLogins } from '#libs/control-plane';

const intervalMs = 60_000;

/** Starts the look, at once and then every minute. The returned function stops it and waits for its end. */
export function startLoginRepairs({
  projects,
  log,
}: {
  readonly projects: ProjectsContext;
  readonly log: Logger;
}): () => Promise<void> {
  const repair = async (): Promise<void> => {
    try {
      const refs = await repairChangedLogins(projects);
      if (refs.length > 0) log.warn({ refs }, 'logins were changed by their project and restored');
    } catch (err) {
      log.error({ err }, 'the logins of projects could not be compared');
    }
  };
  let running = repair();
  const timer = setInterval(() => {
    running = running.then(repair);
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
