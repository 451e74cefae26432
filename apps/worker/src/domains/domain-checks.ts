// Looks up the DNS records of unverified custom domains.
import { Inject, Injectable } from '@nestjs/common';

import { checkPendingDomains, txtReader } from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';

@Injectable()
export class DomainChecks implements Duty {
  readonly everyMs = 5 * 60_000;
  readonly failure = 'the check of domains failed';
  private readonly readTxt;

  constructor(@Inject(workerDepsToken) private readonly deps: WorkerDeps) {
    this.readTxt = txtReader({ servers: deps.deployment.dnsServers });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { projects, log } = this.deps;
    const proven = await checkPendingDomains(projects, this.readTxt, {
      signal,
      onError: (err, domain) => log.warn({ err, domain }, 'a domain could not be checked'),
    });
    for (const { ref, domain } of proven) log.info({ ref, domain }, 'domain verified');
  }
}
