// Adds jobs for messages of projects without one: their process died, or the store of jobs was unavailable.
import { Inject, Injectable } from '@nestjs/common';

import { hurryMessages, listWaitingMessages } from '#libs/control-plane';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';
import { messageJob } from './message-jobs.js';

const atOnce = 500;
/** A job that waits behind others may take this long; then the message gets another one. */
const againSeconds = 60;

@Injectable()
export class MessageRelay implements Duty {
  readonly everyMs = 2_000;
  readonly failure = 'messages that wait could not be listed';

  constructor(
    @Inject(workerDepsToken) private readonly deps: Pick<WorkerDeps, 'projects' | 'messageJobs'>,
  ) {}

  async resume(): Promise<void> {
    await hurryMessages(this.deps.projects);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { projects, messageJobs } = this.deps;
    // The job of a process that died is not over, and keeps its id for a while.
    const attempt = `relayed-${Date.now()}`;
    for (const message of await listWaitingMessages(projects, { limit: atOnce, againSeconds })) {
      if (signal.aborted) return;
      await messageJobs.add(messageJob(message, attempt));
    }
  }
}
