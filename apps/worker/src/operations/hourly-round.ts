// Plans what no request asks for: unfinished work, sweeps, and the order of the database server.
import { Inject, Injectable } from '@nestjs/common';

import {
  listRunning,
  planSweeps,
  planUnfinished,
  tidyServer,
  trimUsage,
} from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';

@Injectable()
export class HourlyRound implements Duty {
  readonly everyMs = 60 * 60_000;
  readonly failure = 'the hourly round failed';

  constructor(
    @Inject(workerDepsToken) private readonly deps: Pick<WorkerDeps, 'projects' | 'log'>,
  ) {}

  async run(): Promise<void> {
    const { projects } = this.deps;
    await this.resume();
    await planSweeps(projects);
    await trimUsage(projects.dataSource);
  }

  async resume(): Promise<void> {
    const { projects, log } = this.deps;
    await planUnfinished(projects);
    await tidyServer(projects, await listRunning(projects), (part, err) =>
      log.warn(
        { part, err },
        'a part of the database server could not be tidied; it is tried again',
      ),
    );
  }
}
