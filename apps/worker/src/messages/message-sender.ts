// Runs the jobs of the queue of messages in this process.
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { runJobs } from '#libs/jobs';

import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';
import { InvitationMails } from './invitation-mails.js';
import { messagesQueue, type MessageTask } from './message-jobs.js';
import { messagesAtOnce, retryDelaysMs, sendWaiting } from './send-messages.js';

@Injectable()
export class MessageSender implements OnModuleDestroy {
  #stop: (() => Promise<void>) | undefined;

  constructor(
    @Inject(workerDepsToken) private readonly deps: WorkerDeps,
    @Inject(InvitationMails) private readonly invitationMails: InvitationMails,
  ) {}

  start(): void {
    const { deps, invitationMails } = this;
    this.#stop = runJobs<MessageTask>(deps.jobStore, messagesQueue, {
      concurrency: messagesAtOnce,
      retryDelaysMs,
      run: (task, signal) =>
        'invitationId' in task ? invitationMails.send(task) : sendWaiting(deps, task, signal),
      onError: (err, task) => deps.log.warn({ err, ...task }, 'messages could not be sent'),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.#stop?.();
    this.invitationMails.close();
  }
}
