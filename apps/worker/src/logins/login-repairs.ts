// Repairs the logins of projects: code of a project can change the password of the login that runs it, and a crash can
// leave a database open to an owner whose project is paused.
import { Inject, Injectable } from '@nestjs/common';

import { alignAll, planRepair, repairChangedLogins } from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';

@Injectable()
export class LoginRepairs implements Duty {
  readonly everyMs = 60_000;
  readonly failure = 'the logins of projects could not be compared';

  constructor(
    @Inject(workerDepsToken) private readonly deps: Pick<WorkerDeps, 'projects' | 'log'>,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.repair(signal);
    await this.align();
  }

  private async repair(signal: AbortSignal): Promise<void> {
    const { projects, log } = this.deps;
    const plans: Promise<void>[] = [];
    const { restored, waiting } = await repairChangedLogins(projects, {
      signal,
      onFailure: (ref, err) => {
        log.warn({ ref, err }, 'the logins could not be restored');
        plans.push(this.planOrLog(ref, err));
      },
    });
    await Promise.all(plans);
    if (restored.length > 0) {
      log.warn({ refs: restored }, 'logins were changed by their project and restored');
    }
    if (waiting.length > 0) {
      log.warn({ refs: waiting }, 'logins were changed by their project and wait to be restored');
    }
  }

  /** Never rejects: the run goes on to other projects before it waits for the plans. */
  private planOrLog(ref: string, error: unknown): Promise<void> {
    const { projects, log } = this.deps;
    return planRepair(projects, ref, error).catch((err: unknown) =>
      log.warn({ ref, err }, 'the repair of logins could not be planned'),
    );
  }

  private async align(): Promise<void> {
    const { projects, log } = this.deps;
    const aligned = await alignAll(projects, (ref, err) =>
      log.warn({ ref, err }, 'the access to a database could not be aligned'),
    );
    if (aligned.length > 0) log.info({ refs: aligned }, 'databases were opened or closed');
  }
}
