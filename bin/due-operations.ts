// Looks for operations whose next attempt is due, and makes jobs of them.
import type { Logger } from 'pino';

import { leaseDue, type ProjectsContext } from '#libs/control-plane';
import type { JobQueue } from '#libs/jobs';

import type { ProjectTask } from './maintenance.js';

const intervalMs = 1_000;

interface Parts {
  readonly projects: ProjectsContext;
  readonly queue: JobQueue<ProjectTask>;
  readonly log: Logger;
}

/** Starts to look, every second. The returned function stops it and waits for its end. */
export function startDueOperations({ projects, queue, log }: Parts): () => Promise<void> {
  let isAway = false;
  const addDue = async (): Promise<void> => {
    try {
      for (const { id, lease } of await leaseDue(projects.dataSource)) {
        await queue.add({ id: `${id}.${lease}`, data: { kind: 'operation', id } }); // In their order.
      }
      isAway = false;
    } catch (err) {
      // Once for each outage; operations that were not added are due again in some seconds.
      if (!isAway) log.warn({ err }, 'operations that are due could not be added to the queue');
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
