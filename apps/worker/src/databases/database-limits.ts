// Compares the sizes of databases with the limits of their projects.
import { Inject, Injectable } from '@nestjs/common';

import { type DatabaseChange, limitDatabases } from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';

const messages: Readonly<Record<DatabaseChange['kind'], string>> = {
  full: 'the database of a project is above its limit and takes no writes',
  released: 'the database of a project takes writes again',
  paused: 'a project was paused: its database grew while it was above its limit',
};

@Injectable()
export class DatabaseLimits implements Duty {
  readonly everyMs = 60_000;
  readonly failure = 'the sizes of databases could not be compared';

  constructor(@Inject(workerDepsToken) private readonly deps: WorkerDeps) {}

  async run(): Promise<void> {
    const { projects, deployment, log } = this.deps;
    await limitDatabases(projects, {
      defaultBytes: deployment.projectDatabaseBytes,
      onChange: ({ kind, ...facts }) => log.warn(facts, messages[kind]),
      onFailure: (ref, err) =>
        log.warn({ ref, err }, 'the database of a project could not be limited'),
    });
  }
}
