// Drops the logins that deletions of projects have left behind.
import { Inject, Injectable } from '@nestjs/common';

import { dropLeftoverLogins, hasLeftoverLogins } from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';

/** More recent logins may still be dropped by their deletion. */
const ageSeconds = 5;

@Injectable()
export class LeftoverLogins implements Duty {
  readonly everyMs = 20_000;
  readonly failure = 'the logins of deleted projects could not be dropped';

  constructor(@Inject(workerDepsToken) private readonly deps: WorkerDeps) {}

  async run(): Promise<void> {
    const { projects, log } = this.deps;
    if (!(await hasLeftoverLogins(projects, ageSeconds))) return;
    const waiting = await dropLeftoverLogins(projects, (databaseId, err) =>
      log.error({ databaseId, err }, 'the logins of a deleted project could not be dropped'),
    );
    if (waiting.length > 0) {
      log.warn({ waiting }, 'logins of deleted projects wait for the lock of another project');
    }
  }
}
