// The queue of messages: a job names the project in which a mail or an SMS waits, or an invitation of an operator.
import type { Logger } from 'pino';

import { noteMessages, type ProjectsContext, type WaitingMessage } from '#libs/control-plane';
import type { CallEdgeFunction } from '#libs/hooks';
import { type JobQueue, type JobStore, openJobQueue } from '#libs/jobs';
import type { WaitingMessages } from '#libs/project-runtime';

export const messagesQueue = 'messages';
/** Messages that an edge function sends, from processes where none runs. */
export const passedQueue = 'messages-for-functions';

/** The job of the mail of an invitation. */
export interface InvitationMailTask {
  readonly invitationId: string;
}

/** The job of a message: the row decides whether there is anything to send. */
export type MessageTask = WaitingMessage | InvitationMailTask;
export type MessageJobs = JobQueue<MessageTask>;

/** Where edge functions run that send messages: in this process, or in those that take `jobs`. */
export type SendingFunctions =
  | { readonly kind: 'here'; readonly callOf: (ref: string) => CallEdgeFunction }
  | { readonly kind: 'elsewhere'; readonly jobs: MessageJobs };

/** Opens the queue of messages, to add jobs to it. */
export function openMessageJobs(store: JobStore, log: Logger): Promise<MessageJobs> {
  return openQueue(store, log, messagesQueue);
}

/** Opens the queue of messages for processes where edge functions run, to add jobs to it. */
export function openPassedJobs(store: JobStore, log: Logger): Promise<MessageJobs> {
  return openQueue(store, log, passedQueue);
}

function openQueue(store: JobStore, log: Logger, name: string): Promise<MessageJobs> {
  return openJobQueue<MessageTask>(store, name, (err) =>
    log.warn({ err }, 'the queue of messages failed'),
  );
}

/** Returns the functions with which the runtimes of projects announce their messages. */
export function waitingMessages(
  projects: ProjectsContext,
  messageJobs: MessageJobs,
): WaitingMessages {
  return {
    note: (ref, ids) => noteMessages(projects, ref, ids),
    async addJobs(ref, ids) {
      await Promise.all(ids.map((id) => messageJobs.add(messageJob({ ref, id }))));
    },
  };
}

/** A job of its own for each `attempt`, because the job of the previous one may still be running. */
export function messageJob({ ref, id }: WaitingMessage, attempt: number | string = 0) {
  return { id: `${ref}.${id}.${attempt}`, data: { ref, id } };
}
