// Repairs the logins of projects: code of a project can change the password of the login that runs it, and a crash can
// leave a database open to an owner whose project is paused.
import type { Logger } from 'pino';

import {
  alignAll,
  planRepair,
  type ProjectsContext,
  repairChangedLogins,
} from '#libs/control-plane';

const intervalMs = 60_000;

/** Starts the comparison, at once and then every minute. The returned function stops it and waits for its end. */
export function startLoginRepairs({
  projects,
  log,
}: {
  readonly projects: ProjectsContext;
  readonly log: Logger;
}): () => Promise<void> {
  const stop = new AbortController();
  /** Never rejects: the run goes on to other projects before it waits for the plans. */
  const planOrLog = (ref: string, error: unknown): Promise<void> =>
    planRepair(projects, ref, error).catch((err: unknown) =>
      log.warn({ ref, err }, 'the repair of logins could not be planned'),
    );
  const repair = async (): Promise<void> => {
    const plans: Promise<void>[] = [];
    try {
      const { restored, waiting } = await repairChangedLogins(projects, {
        signal: stop.signal,
        onFailure: (ref, err) => {
          log.warn({ ref, err }, 'the logins could not be restored');
          plans.push(planOrLog(ref, err));
        },
      });
      await Promise.all(plans);
      if (restored.length > 0) {
        log.warn({ refs: restored }, 'logins were changed by their project and restored');
      }
      if (waiting.length > 0) {
        log.warn({ refs: waiting }, 'logins were changed by their project and wait to be restored');
      }
    } catch (err) {
      log.error({ err }, 'the logins of projects could not be compared');
    }
  };
  const align = async (): Promise<void> => {
    try {
      const aligned = await alignAll(projects, (ref, err) =>
        log.warn({ ref, err }, 'the access to a database could not be aligned'),
      );
      if (aligned.length > 0) log.info({ refs: aligned }, 'databases were opened or closed');
    } catch (err) {
      log.error({ err }, 'the access to databases could not be compared');
    }
  };
  let running: Promise<void> | undefined;
  const tick = (): void => {
    // A run may take longer than the interval when many projects lock their logins.
    running ??= repair()
      .then(align)
      .finally(() => (running = undefined));
  };
  tick();
  const timer = setInterval(tick, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}
