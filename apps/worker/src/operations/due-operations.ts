// Adds jobs for operations whose next attempt is due.
import { Inject, Injectable } from '@nestjs/common';

import { leaseDue } from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';
import { OperationRunner } from './operation-runner.js';

@Injectable()
export class DueOperations implements Duty {
  readonly everyMs = 1_000;
  readonly failure = 'work that is due could not be added to the queue';

  constructor(
    @Inject(workerDepsToken) private readonly deps: Pick<WorkerDeps, 'projects'>,
    @Inject(OperationRunner) private readonly runner: Pick<OperationRunner, 'add'>,
  ) {}

  async run(): Promise<void> {
    for (const { id, lease } of await leaseDue(this.deps.projects.dataSource)) {
      await this.runner.add({ id: `${id}.${lease}`, data: { kind: 'operation', id } }); // In their order.
    }
  }
}
