// The connection limits of the projects' logins: those of owners, who connect to the database server themselves, follow
// the number of projects; those of requests follow the number of API processes.
import { Inject, Injectable } from '@nestjs/common';

import { limitLogins } from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';

@Injectable()
export class ConnectionShares implements Duty {
  readonly everyMs = 60_000;
  readonly failure = 'the connection limits of logins could not be set';
  #lastWarning: string | undefined;
  #lastAtLimit = '';

  constructor(@Inject(workerDepsToken) private readonly deps: WorkerDeps) {}

  async run(): Promise<void> {
    const { projects, deployment, log } = this.deps;
    const { ownConnections: needed, requestConnections: requests } = deployment;
    const { warning, projectsAtLimit } = await limitLogins(projects, {
      needed,
      requests,
      onFailure: (err) => log.warn({ err }, 'the connection limit of a login could not be set'),
    });
    if (warning !== undefined && warning !== this.#lastWarning) log.warn(warning);
    this.#lastWarning = warning;
    if (projectsAtLimit.length > 0 && String(projectsAtLimit) !== this.#lastAtLimit) {
      log.warn(
        { refs: projectsAtLimit, limit: requests },
        'projects use all connections for requests; set API_PROCESSES to the number of API processes and PROJECT_CONNECTIONS to theirs, where the worker runs',
      );
    }
    this.#lastAtLimit = String(projectsAtLimit);
  }
}
