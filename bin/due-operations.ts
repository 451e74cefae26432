// Adds jobs for operations whose next attempt is due, and for logins that deletions have left behind.
import type { Logger } from 'pino';

import { hasLeftoverLogins, leaseDue, type ProjectsContext } from '#libs/control-plane';
import type { JobQueue } from '#libs/jobs';

const intervalMs = 1_000;
/** How often logins of deleted projects are looked for; milliseconds. */
const loginsIntervalMs = 20_000;
/** More recent logins may still be dropped by their deletion. */
const loginsAgeSeconds = 5;

export type ProjectTask =
  | { readonly kind: 'start' }
  | { readonly kind: 'round' }
  | { readonly kind: 'logins' }
  | { readonly kind: 'operation'; readonly id: string };

/** Starts to look, every second. The returned function stops it and waits for its end. */
export function startDueOperations(
  projects: ProjectsContext,
  queue: JobQueue<ProjectTask>,
  log: Logger,
): () => Promise<void> {
  let isAway = false;
  let loginsAt = 0;
  const addLogins = async (): Promise<void> => {
    if (Date.now() < loginsAt) return;
    if (await hasLeftoverLogins(projects, loginsAgeSeconds)) {
      await queue.add({ id: `logins-${process.pid}-${Date.now()}`, data: { kind: 'logins' } });
    }
    loginsAt = Date.now() + loginsIntervalMs;
  };
  const addDue = async (): Promise<void> => {
    try {
      for (const { id, lease } of await leaseDue(projects.dataSource)) {
        await queue.add({ id: `${id}.${lease}`, data: { kind: 'operation', id } }); // In their order.
      }
      await addLogins();
      isAway = false;
    } catch (err) {
      // Once for each outage; work that was not added is due again in some seconds.
      if (!isAway) log.warn({ err }, 'work that is due could not be added to the queue');
      isAway = true;
    }
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= addDue().finally(() => (running = undefined));
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
