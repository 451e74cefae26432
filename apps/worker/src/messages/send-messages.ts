// Sends the mails and SMS of projects: a job of the queue `messages` names the project in which a message waits.
import {
  ensureMigrated,
  forgetMessages,
  getProjectRecord,
  postponeMessage,
  type ProjectsContext,
  waitsForRelease,
  type WaitingMessage,
} from '#libs/control-plane';
import { type ProjectDatabase, withProjectDatabase } from '#libs/database';
import { runJobs } from '#libs/jobs';
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
} from '#libs/project-runtime';
import type { Settings } from '#libs/settings';

import type { WorkerDeps } from '../worker-deps.js';
import { messageJob, type MessageJobs, passedQueue } from './message-jobs.js';

/** Each job holds one connection to the database of its project; a project has two jobs at most that send. */
export const messagesAtOnce = 16;
/** For jobs whose project cannot be reached. Its row says what became of a message. */
export const retryDelaysMs = [10_000, 60_000, 300_000];
/** A job may wait behind others for this long, until the message gets another one. */
const graceSeconds = 30;
/** The same for messages that another process sends. */
const passedSeconds = 90;
/** How long messages of a project that is not served wait until they are checked again. */
const unservedSeconds = 330;

type SenderDeps = Omit<WorkerDeps, 'deliveryJobs'>;

/** Starts sending the messages that other processes pass on to those where edge functions run. */
export function startPassedMessages(deps: SenderDeps): () => Promise<void> {
  const { jobStore, log } = deps;
  return runJobs<WaitingMessage>(jobStore, passedQueue, {
    concurrency: messagesAtOnce,
    retryDelaysMs,
    run: (message, signal) => sendWaiting(deps, message, signal),
    onError: (err, message) => log.warn({ err, ...message }, 'messages could not be sent'),
  });
}

/** Sends a message that waits, with others of its project. */
export async function sendWaiting(
  deps: SenderDeps,
  message: WaitingMessage,
  signal: AbortSignal,
): Promise<void> {
  const { projects } = deps;
  const record = await findServed(projects, message.ref);
  if (record === undefined) {
    await postponeMessage(projects, message, unservedSeconds);
    return;
  }
  await withProjectDatabase(record, async (db) => {
    const settings = await readSettings(deps, record, db);
    const { enabled, target } = settings['auth.hooks'].send;
    if (enabled && target === 'edge' && deps.functions.kind === 'elsewhere') {
      await passOn(projects, deps.functions.jobs, message);
      return;
    }
    const turn = await sendMessages(deps, record, { db, settings, signal });
    await settle(deps, record.ref, turn);
    const isSettled = [...turn.over, ...turn.later.map(({ id }) => id)].includes(message.id);
    if (!isSettled) await lookAfter(deps, db, message);
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
  { deployment }: SenderDeps,
  record: ProjectRecord,
  db: ProjectDatabase,
): Promise<Settings> {
  const { values } = await ProjectSettings.load({
    db,
    env: deployment.fallbacksOf(record),
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
  await postponeMessage(projects, message, passedSeconds);
  await jobs.add(messageJob(message));
}

interface Sending {
  readonly db: ProjectDatabase;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** Sends messages of a project with its present settings. */
async function sendMessages(
  { deployment, functions, log }: SenderDeps,
  record: ProjectRecord,
  { db, settings, signal }: Sending,
): Promise<DeliveredTurn> {
  const { ref, dataKey, name } = record;
  const outbound = createOutbound({ allowedHosts: deployment.outboundAllowedHosts });
  const onError = (err: unknown, doing: string) => log.warn({ err, ref }, `failed: ${doing}`);
  const callEdgeFunction = functions.kind === 'here' ? functions.callOf(ref) : undefined;
  const deps = { ref, db, outbound, callEdgeFunction, now: Date.now, onError };
  const hooks = projectHooks(deps, settings);
  const messages = new ProjectMessages({
    project: () => ({ name, baseUrl: deployment.urlOf(ref) }),
    db,
    settings: () => settings,
    outbound,
    resolveMailHost: deployment.mailHostsOf(record),
    hasInbox: deployment.mailInbox,
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
  { projects, messageJobs }: SenderDeps,
  ref: string,
  { over, later, next }: DeliveredTurn,
): Promise<void> {
  await forgetMessages(projects, ref, { ids: over });
  for (const { id, attempts, delaySeconds } of later) {
    // The record comes first: it remains if the job is lost.
    await postponeMessage(projects, { ref, id }, delaySeconds + graceSeconds);
    await messageJobs.add(messageJob({ ref, id }, attempts), delaySeconds * 1000);
  }
  if (next !== undefined) await messageJobs.add(messageJob({ ref, id: next }));
}

/** Keeps the record of a message that this job did not send while the message waits. */
async function lookAfter(
  { projects }: SenderDeps,
  db: ProjectDatabase,
  message: WaitingMessage,
): Promise<void> {
  const { ref, id } = message;
  const state = await findWaiting(db, id);
  if (state === 'over') await forgetMessages(projects, ref, { ids: [id] });
  else if (state === 'missing') {
    await forgetMessages(projects, ref, { ids: [id], neverCommitted: true });
  } else await postponeMessage(projects, message, state.inSeconds + 1);
}
