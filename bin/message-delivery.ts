// Sends the mails and SMS of projects: a job of the queue `messages` names the project in which a message waits. Every
// 20 seconds the records of the control plane are checked: a message without a job gets one.
import type { Logger } from 'pino';

import {
  ensureMigrated,
  forgetMessages,
  getProjectRecord,
  listWaitingMessages,
  noteMessages,
  postponeMessage,
  type ProjectsContext,
  waitsForRelease,
  type WaitingMessage,
} from '#libs/control-plane';
import type { ProjectDatabase } from '#libs/database';
import type { CallEdgeFunction } from '#libs/hooks';
import { type JobQueue, type JobStore, openJobQueue, runJobs } from '#libs/jobs';
import { createOutbound } from '#libs/outbound';
import {
  type DeliveredTurn,
  deliverMessages,
  findWaiting,
  messageSeal,
  ProjectMessages,
  type ProjectRecord,
  projectHooks,
  ProjectSettings,
  settingsSeal,
  type WaitingMessages,
} from '#libs/project-runtime';
import type { Settings } from '#libs/settings';

import type { Env } from './env.js';
import { type InvitationMailTask, startInvitationMails } from './invitation-mails.js';
import { mailHostResolver, projectUrl, settingsFallbacks } from './project-address.js';
import { withProjectDatabase } from './project-access.js';

const queueName = 'messages';
/** Messages that an edge function sends, from processes where none runs. */
const passedQueueName = 'messages-for-functions';
/** Each job holds one connection to the database of its project; a project has two jobs at most that send. */
const concurrency = 16;
/** For jobs whose project cannot be reached. Its row says what became of a message. */
const retryDelaysMs = [10_000, 60_000, 300_000];
const relayIntervalMs = 20_000;
const relayedMessages = 500;
/** A job that waits behind others may take this long; then the message gets another one. */
const againSeconds = 60;
/** How long messages of a project that is not served wait until they are checked again. */
const unservedSeconds = 300;

/** The job of a message: the row decides whether there is anything to send. */
type MessageTask = WaitingMessage | InvitationMailTask;
export type MessageJobs = JobQueue<MessageTask>;

/** Where edge functions run that send messages: in this process, or in those that take `jobs`. */
export type SendingFunctions =
  | { readonly kind: 'here'; readonly callOf: (ref: string) => CallEdgeFunction }
  | { readonly kind: 'elsewhere'; readonly jobs: MessageJobs };

interface DeliveryParts {
  readonly env: Env;
  readonly projects: ProjectsContext;
  readonly jobStore: JobStore;
  readonly messageJobs: MessageJobs;
  readonly functions: SendingFunctions;
  readonly log: Logger;
}

/** Opens the queue of messages, to add jobs to it. */
export function openMessageJobs(store: JobStore, log: Logger): Promise<MessageJobs> {
  return openQueue(store, log, queueName);
}

/** Opens the queue of messages for processes where edge functions run, to add jobs to it. */
export function openPassedJobs(store: JobStore, log: Logger): Promise<MessageJobs> {
  return openQueue(store, log, passedQueueName);
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
      await Promise.all(ids.map((id) => messageJobs.add(jobOf({ ref, id }))));
    },
  };
}

/** Starts sending. The returned function stops it and waits for the messages that are being sent. */
export function startMessageDelivery(parts: DeliveryParts): () => Promise<void> {
  const { jobStore, log } = parts;
  const stopRelay = startRelay(parts);
  const invitationMails = startInvitationMails(parts);
  const stopJobs = runJobs<MessageTask>(jobStore, queueName, {
    concurrency,
    retryDelaysMs,
    run: (task, signal) =>
      'invitationId' in task ? invitationMails.send(task) : runJob(parts, task, signal),
    onError: (err, task) => log.warn({ err, ...task }, 'messages could not be sent'),
  });
  return async () => {
    await Promise.all([stopRelay(), invitationMails.stopLooking(), stopJobs()]);
    invitationMails.close();
  };
}

/** Starts sending the messages that other processes pass on to those where edge functions run. */
export function startPassedMessages(parts: DeliveryParts): () => Promise<void> {
  const { jobStore, log } = parts;
  return runJobs<WaitingMessage>(jobStore, passedQueueName, {
    concurrency,
    retryDelaysMs,
    run: (message, signal) => runJob(parts, message, signal),
    onError: (err, message) => log.warn({ err, ...message }, 'messages could not be sent'),
  });
}

/** A retry has a job of its own, because the job of the previous try may still be running. */
function jobOf(message: WaitingMessage, attempts = 0) {
  const { ref, id } = message;
  return { id: `${ref}.${id}.${attempts}`, data: { ref, id } };
}

/** Adds jobs for messages without one: their process died, or the store of jobs was unavailable. */
function startRelay({ projects, messageJobs, log }: DeliveryParts): () => Promise<void> {
  const stop = new AbortController();
  // Adding waits for as long as the store is away.
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve());
  });
  const relay = async (): Promise<void> => {
    try {
      const limits = { limit: relayedMessages, againSeconds };
      for (const message of await listWaitingMessages(projects, limits)) {
        if (stop.signal.aborted) return;
        await messageJobs.add(jobOf(message));
      }
    } catch (err) {
      if (!stop.signal.aborted) log.error({ err }, 'messages that wait could not be listed');
    }
  };
  let running: Promise<void> | undefined;
  const tick = (): void => {
    running ??= relay().finally(() => (running = undefined));
  };
  tick();
  const timer = setInterval(tick, relayIntervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await Promise.race([running, stopped]);
  };
}

async function runJob(
  parts: DeliveryParts,
  message: WaitingMessage,
  signal: AbortSignal,
): Promise<void> {
  const { projects } = parts;
  const record = await findServed(projects, message.ref);
  if (record === undefined) {
    await postponeMessage(projects, message, unservedSeconds);
    return;
  }
  await withProjectDatabase(record, async (db) => {
    const settings = await readSettings(parts, record, db);
    const { enabled, target } = settings['auth.hooks'].send;
    if (enabled && target === 'edge' && parts.functions.kind === 'elsewhere') {
      await passOn(parts.projects, parts.functions.jobs, message);
      return;
    }
    const turn = await sendMessages(parts, record, { db, settings, signal });
    await settle(parts, record.ref, turn);
    const isSettled = [...turn.over, ...turn.later.map(({ id }) => id)].includes(message.id);
    if (!isSettled) await lookAfter(parts, db, message);
  });
}

/** Returns the record of a project that this release serves. Undefined if it is deleted, paused or not upgraded. */
async function findServed(
  projects: ProjectsContext,
  ref: string,
): Promise<ProjectRecord | undefined> {
  const record = await getProjectRecord(projects, ref);
  // A deleted project may be restored; its notes are removed with it.
  if (record === undefined || record.status === 'paused') return undefined;
  try {
    await ensureMigrated(projects, ref);
    return record;
  } catch (error) {
    if (waitsForRelease(error)) return undefined;
    throw error;
  }
}

async function readSettings(
  { env }: DeliveryParts,
  record: ProjectRecord,
  db: ProjectDatabase,
): Promise<Settings> {
  const { values } = await ProjectSettings.load({
    db,
    env: settingsFallbacks(env, record),
    seal: settingsSeal(record.ref, record.dataKey),
  });
  return values;
}

/** The record comes first: if the job is lost, or no process takes it, the message gets another one. */
async function passOn(
  projects: ProjectsContext,
  jobs: MessageJobs,
  message: WaitingMessage,
): Promise<void> {
  await postponeMessage(projects, message, againSeconds);
  await jobs.add(jobOf(message));
}

interface Sending {
  readonly db: ProjectDatabase;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** Sends messages of a project with its present settings. */
async function sendMessages(
  { env, functions, log }: DeliveryParts,
  record: ProjectRecord,
  { db, settings, signal }: Sending,
): Promise<DeliveredTurn> {
  const { ref, dataKey, name } = record;
  const outbound = createOutbound({ allowedHosts: env.outboundAllowedHosts });
  const onError = (err: unknown, doing: string) => log.warn({ err, ref }, `failed: ${doing}`);
  const callEdgeFunction = functions.kind === 'here' ? functions.callOf(ref) : undefined;
  const deps = { ref, db, outbound, callEdgeFunction, now: Date.now, onError };
  const hooks = projectHooks(deps, settings);
  const messages = new ProjectMessages({
    project: () => ({ name, baseUrl: projectUrl(env, ref) }),
    db,
    settings: () => settings,
    outbound,
    resolveMailHost: mailHostResolver(env, record),
    hasInbox: env.mailInbox,
    sendByHook: (message) => hooks.send(message),
    now: Date.now,
  });
  try {
    const seal = messageSeal(ref, dataKey);
    return await deliverMessages({ db, seal, messages, now: Date.now, signal, onError });
  } finally {
    messages.close();
  }
}

async function settle(
  { projects, messageJobs }: DeliveryParts,
  ref: string,
  { over, later, next }: DeliveredTurn,
): Promise<void> {
  await forgetMessages(projects, ref, { ids: over });
  for (const { id, attempts, delaySeconds } of later) {
    // The record comes first: it remains if the job is lost.
    await postponeMessage(projects, { ref, id }, delaySeconds);
    await messageJobs.add(jobOf({ ref, id }, attempts), delaySeconds * 1000);
  }
  if (next !== undefined) await messageJobs.add(jobOf({ ref, id: next }));
}

/** Keeps the record of a message that this job did not send while the message waits. */
async function lookAfter(
  { projects }: DeliveryParts,
  db: ProjectDatabase,
  message: WaitingMessage,
): Promise<void> {
  const { ref, id } = message;
  const state = await findWaiting(db, id);
  if (state === 'over') await forgetMessages(projects, ref, { ids: [id] });
  else if (state === 'missing') {
    await forgetMessages(projects, ref, { ids: [id], neverCommitted: true });
  } else await postponeMessage(projects, message, state.inSeconds);
}
