// Compares the sizes of databases with the limits of their projects, every minute.
import type { Logger } from 'pino';

import { type DatabaseChange, limitDatabases, type ProjectsContext } from '#libs/control-plane';

import type { Env } from './env.js';

const intervalMs = 60_000;

const messages: Readonly<Record<DatabaseChange['kind'], string>> = {
  full: 'the database of a project is above its limit and takes no writes',
  released: 'the database of a project takes writes again',
  paused: 'a project was paused: its database grew while it was above its limit',
};

/** Compares now and every minute. The returned function stops that and waits for a running round. */
export function startDatabaseLimits(
  { projectDatabaseBytes }: Pick<Env, 'projectDatabaseBytes'>,
  { projects, log }: { readonly projects: ProjectsContext; readonly log: Logger },
): () => Promise<void> {
  const compare = async (): Promise<void> => {
    try {
      await limitDatabases(projects, {
        defaultBytes: projectDatabaseBytes,
        onChange: ({ kind, ...facts }) => log.warn(facts, messages[kind]),
        onFailure: (ref, err) =>
          log.warn({ ref, err }, 'the database of a project could not be limited'),
      });
    } catch (err) {
      log.warn({ err }, 'the sizes of databases could not be compared');
    }
  };
  let running: Promise<void> | undefined;
  const tick = (): void => {
    running ??= compare().finally(() => (running = undefined));
  };
  tick();
  const timer = setInterval(tick, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
