// Serves the projects: the registry of their runtimes, kept current by signals and by comparing versions.
import { join } from 'node:path';

import type { Logger } from 'pino';

import { type DeliveryJobs, type MessageJobs, scheduleStore, waitingMessages } from '#apps/worker';
import {
  ensureMigrated,
  findProject,
  getProjectRecord,
  listVersions,
  noteUse,
  noteDeliveries,
  type ProjectsContext,
} from '#libs/control-plane';
import { ConnectionBudget, ReplyBudget } from '#libs/database';
import { AppError, fail, isOutage } from '#libs/errors';
import type { FunctionsHost } from '#libs/functions';
import { ImageQueue } from '#libs/image-transform';
import {
  type JobStore,
  openProcessExchange,
  type ProcessExchange,
  type SignalBus,
} from '#libs/jobs';
import { createOutbound } from '#libs/outbound';
import {
  type ProjectRecord,
  ProjectRegistry,
  ProjectRuntime,
  reloadSettings,
  type RuntimeDeps,
  SmallContents,
  type WriteSignals,
} from '#libs/project-runtime';
import { Places, PollingFeeds } from '#libs/realtime';
import { isRecord } from '#libs/wire';

import type { Env } from './env.js';
import { mailHostResolver, projectUrl, settingsFallbacks } from './project-address.js';
import { storageDeps } from './storage-access.js';
import { openRateLimits, type RateLimits } from './rate-limits.js';
import { UsageWriter } from './usage-writer.js';

const repairIntervalMs = 2_000;
/** Longer than a request may take, so that an evicted project finishes its running requests. */
const drainMs = 130_000;
const megabyte = 1024 ** 2;
/** Replays of missed changes that are read at the same time, of all projects; each may have 16 MB. */
const replaysAtOnce = 4;
/** Memory for short files and images that are read often. */
const smallContentsBytes = 32 * megabyte;
/** Disk space of the data folder that large replies leave free. */
const spoolReserveBytes = 1024 * megabyte;

export interface DataPlane {
  readonly registry: ProjectRegistry<ProjectRuntime>;
  readonly budget: ConnectionBudget;
  readonly replies: ReplyBudget;
  close(): Promise<void>;
}

interface Parts {
  readonly projects: ProjectsContext;
  readonly jobStore: JobStore;
  readonly bus: SignalBus;
  readonly messageJobs: MessageJobs;
  readonly deliveryJobs: DeliveryJobs;
  readonly functionsHost: FunctionsHost;
  readonly serveLocally: RuntimeDeps['serveLocally'];
  readonly changePace?: RuntimeDeps['changePace'];
  readonly log: Logger;
}

/** Opens the data plane. It closes only itself: the caller closes control plane and bus. */
export async function openDataPlane(env: Env, parts: Parts): Promise<DataPlane> {
  const { projects, jobStore, bus, log } = parts;
  const budget = new ConnectionBudget({
    total: env.connectionBudget,
    perProject: env.projectConnections,
  });
  const replies = new ReplyBudget({
    memoryBytes: env.replyMemoryMb * megabyte,
    spoolBytes: env.replySpoolMb * megabyte,
    minFreeBytes: spoolReserveBytes,
    folder: join(env.dataDir, 'spool'),
  });
  const rateLimits = openRateLimits(env, log);
  const exchange = await openProcessExchange(jobStore, bus, (error) =>
    log.warn({ err: error }, 'the exchange between processes failed'),
  );
  const { dataSource } = projects;
  const usage = new UsageWriter({ dataSource, log, now: Date.now });
  const sharedDeps = runtimeDepsOf(env, { ...parts, budget, replies, rateLimits, exchange, usage });
  const registry = new ProjectRegistry<ProjectRuntime>({
    rootDomain: env.rootDomain,
    defaultRef: env.defaultProject,
    maxLive: env.maxLiveProjects,
    drainMs,
    findByRef: (ref) => getProjectRecord(projects, ref),
    findByDomain: (domain) => findProject(projects, domain, env.rootDomain),
    listVersions: (refs) => listVersions(projects, refs),
    noteUse: (refs) => noteUse(projects, refs),
    open: (record, use) => ProjectRuntime.open(record, sharedDeps, use),
    reload: reloadSettings,
    now: Date.now,
    onError: sharedDeps.onError,
  });
  await bus.subscribe('project.*', (topic, data) => reload(registry, topic, data));
  const stopRepairs = repairEvery(registry, log);
  usage.start(() => registry.listLive());
  return {
    registry,
    budget,
    replies,
    async close() {
      stopRepairs();
      await registry.close(env.drainSeconds * 1000);
      await usage.close();
      await exchange.close();
      rateLimits.close();
    },
  };
}

function runtimeDepsOf(
  env: Env,
  {
    projects,
    bus,
    messageJobs,
    deliveryJobs,
    log,
    budget,
    replies,
    rateLimits,
    exchange,
    usage,
    functionsHost,
    serveLocally,
    changePace,
  }: Parts &
    Pick<RuntimeDeps, 'budget' | 'replies'> & {
      readonly rateLimits: RateLimits;
      readonly exchange: ProcessExchange;
      readonly usage: UsageWriter;
    },
): RuntimeDeps {
  const allowedHosts = env.outboundAllowedHosts;
  const onError: RuntimeDeps['onError'] = (err, doing, level = 'error', requestId) =>
    log[level]({ err, ...(requestId && { requestId }) }, `failed: ${doing}`);
  return {
    budget,
    replies,
    now: Date.now,
    envOf: (record) => settingsFallbacks(env, record),
    urlOf: (record) => projectUrl(env, record.ref),
    outbound: createOutbound({ allowedHosts }),
    mailHostsOf: (record) => mailHostResolver(env, record),
    storageQuotaBytes: env.projectStorageBytes,
    storageDeps: ({ ref }) => storageDeps(env, ref),
    smallContents: new SmallContents(smallContentsBytes),
    imageQueue: new ImageQueue(),
    pollingFeeds: new PollingFeeds(),
    replayPlaces: new Places(replaysAtOnce),
    functionsHost,
    serveLocally,
    isPublicInvokeEnabled: env.edgePublicInvokeEnabled,
    hasInbox: env.mailInbox,
    exchangeFor: (ref) => exchangeOf(exchange, ref),
    writeSignalsFor: (ref) => writeSignalsOf(exchange, ref),
    changePace,
    noteDeliveries: (ref, seconds) => noteDeliveries(projects, ref, seconds),
    schedules: scheduleStore(deliveryJobs),
    waitingMessages: waitingMessages(projects, messageJobs),
    rateLimiterFor: (record, pool) => rateLimits.limiterFor(record, pool),
    ensureMigrated: (record) => bringToRelease(projects, record),
    keepUsage: (ref, used) => usage.keep(ref, used),
    publishSettings: (ref, version) => bus.publish(`project.${ref}`, { kind: 'settings', version }),
    onError,
  };
}

/** A project that could not be migrated is not served; the worker and the next request try again. */
async function bringToRelease(projects: ProjectsContext, record: ProjectRecord): Promise<void> {
  // The record was read a moment ago, so usually no second query to the control plane is needed.
  if (record.migratedTo === projects.release.hash) return;
  try {
    await ensureMigrated(projects, record.ref);
  } catch (error) {
    if (error instanceof AppError || isOutage(error)) throw error;
    throw fail('PROJECT_NOT_UPGRADED', {}, { retryAfterSeconds: 5, cause: error });
  }
}

/** Reads the changed part again after a signal: the settings of a project, or its record. */
async function reload(
  registry: ProjectRegistry<ProjectRuntime>,
  topic: string,
  data: unknown,
): Promise<void> {
  const ref = topic.split('.')[1] ?? '';
  const isSettings = isRecord(data) && data['kind'] === 'settings';
  if (!isSettings) return registry.reload(ref);
  const project = registry.findLive(ref);
  if (project) await reloadSettings(project);
}

/** Compares versions while the process lives; the returned function ends that. */
function repairEvery(registry: ProjectRegistry<ProjectRuntime>, log: Logger): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    registry
      .repair()
      .catch((error: unknown) => log.warn({ err: error }, 'versions could not be compared'))
      .finally(() => {
        isRunning = false;
      });
  }, repairIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The exchange with the channels of one project. */
function exchangeOf(
  exchange: ProcessExchange,
  ref: string,
): ReturnType<RuntimeDeps['exchangeFor']> {
  return {
    node: exchange.node,
    get hasOthers() {
      return exchange.hasOthers;
    },
    publish: (channel, data) => exchange.publish(`${ref} ${channel}`, data),
    subscribe: (channel, listener) => exchange.subscribe(`${ref} ${channel}`, listener),
    onGone: (listener) => exchange.onGone(listener),
  };
}

function writeSignalsOf(exchange: ProcessExchange, ref: string): WriteSignals {
  const name = `rows ${ref}`;
  return {
    send: () => exchange.signal(name),
    subscribe: (listener) => exchange.onSignal(name, listener),
  };
}
