// Puts the applications together and starts them.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';

import { createApiApp, declaredRoutes, localServer } from '#apps/api';
import { createConsoleApp } from '#apps/console/server';
import {
  createWorker,
  type DeliveryJobs,
  type MessageJobs,
  openDeliveryJobs,
  openMessageJobs,
  openPassedJobs,
  type SendingFunctions,
  startDeliverer,
  startPassedMessages,
} from '#apps/worker';
import { restEngineContext } from '#libs/auth-engine';
import {
  type ControlPlane,
  ControlPlaneStartError,
  hostReader,
  openControlPlane,
  projectsContext,
  type ProjectsContext,
  txtReader,
} from '#libs/control-plane';
import { AppError, fail, isOutage } from '#libs/errors';
import { type FunctionsHost, openFunctionsHost } from '#libs/functions';
import { type JobStore, openSignalBus, type SignalBus } from '#libs/jobs';
import type { RuntimeDeps } from '#libs/project-runtime';
import { deriveKey } from '#libs/secrets';
import {
  type ClientFiles,
  type ConsoleFiles,
  Drain,
  type LoopWatch,
  type ReaderLimits,
  type ReaderWatch,
  watchLoop,
  watchReaders,
} from '#libs/web';

import { type Close, closeAll } from './close-all.js';
import { controlPlaneDatabase as defaultDatabase } from './control-plane-database.js';
import type { OpenedDatabase } from './database.js';
import { type DataPlane, openDataPlane } from './data-plane.js';
import { deploymentFacts } from './deployment-facts.js';
import type { Env } from './env.js';
import type { GivenVariable } from './env-variables.js';
import { prepareFirstRun } from './first-run.js';
import { type RunningLockWatch, startLockWatch } from './lock-watch.js';
import { jobStoreOf } from './job-store-of.js';
import { projectUrl, reservedRefs, studioUrl } from './project-address.js';
import { objectRemoval } from './remove-objects.js';
import { StartError } from './start-error.js';
import { workerDeployment } from './worker-deployment.js';

/** How long a start is retried while the database is unavailable. */
const outageMs = 60_000;
const firstWaitMs = 200;
const longestWaitMs = 5_000;

export interface Composition {
  /** Connection string of a superuser of the deployment's PostgreSQL. */
  readonly databaseUrl: string;
  /** Ends a session that does not react to `pg_terminate_backend`; absent where operators run PostgreSQL. */
  readonly endBackend?: OpenedDatabase['endBackend'] | undefined;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  readonly log: Logger;
  /** The client for apps; absent: the applications do not serve it. */
  readonly client?: ClientFiles | undefined;
  /** The pages of the console and the studio; absent: the console is an API alone, and there is no studio. */
  readonly pages?: ConsoleFiles | undefined;
  /** Called when a step begins, and with progress within it. */
  readonly onStep?: (name: string, detail: string) => void;
  /** Name of the control-plane database; default `rowhouse`. */
  readonly controlPlaneDatabase?: string;
  /** When clients that do not read their answers are closed; absent: after 30 seconds. */
  readonly readerLimits?: Partial<ReaderLimits>;
  /** How often changes of tables are read; absent: more often after changes. */
  readonly changePace?: RuntimeDeps['changePace'];
  /** The folder with the migrations; that of this release by default. */
  readonly migrationsRoot?: string;
  /** The version in package.json, for operators. */
  readonly version?: string;
  /** The environment, for operators. */
  readonly variables?: readonly GivenVariable[];
}

export interface Applications {
  /** Shown at the end of the start: name and URL of each application of this process. */
  readonly urls: Readonly<Record<string, string>>;
  /**
   * Reports not ready at once, stops listening after `env.preStopSeconds`, lets running requests finish within
   * `env.drainSeconds`, and closes everything.
   */
  close(): Promise<void>;
}

/** Shared by the parts of this process. */
interface ProcessParts extends Composition {
  readonly controlPlane: ControlPlane;
  readonly jobStore: JobStore;
  readonly bus: SignalBus;
  readonly messageJobs: MessageJobs;
  readonly deliveryJobs: DeliveryJobs;
  readonly loopWatch: LoopWatch;
  readonly readerWatch: ReaderWatch;
  /** For the verbs on projects. */
  readonly projects: ProjectsContext;
  /** Signs and verifies the console's statements about an operator for the API. */
  readonly assertionKey: Buffer;
  /** For each application that was created. */
  readonly drains: Drain[];
}

/**
 * Opens the control plane and the applications of `env.roles`; resolves when they accept requests. While the database
 * is unavailable it retries for a minute. Throws StartError for problems that the operator can fix, such as a wrong
 * master key.
 */
export async function composeApplications(
  env: Env,
  composition: Composition,
): Promise<Applications> {
  const giveUpAt = Date.now() + outageMs;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await composeOnce(env, composition);
    } catch (error) {
      if (!isDatabaseAway(error) || Date.now() >= giveUpAt) throw error;
      composition.log.warn(
        { err: error },
        'the database is unavailable during the start: trying again',
      );
      await delay(waitMs);
    }
  }
}

function isDatabaseAway(error: unknown): boolean {
  return error instanceof AppError ? error.code === 'DATABASE_UNAVAILABLE' : isOutage(error);
}

async function composeOnce(env: Env, composition: Composition): Promise<Applications> {
  const closings: Close[] = [];
  const urls: Record<string, string> = {};
  const drains: Drain[] = [];
  try {
    // Before the first call of an auth engine: the operators' and those of projects are of one package.
    await restEngineContext();
    const { onStep = () => undefined } = composition;
    onStep('control plane', 'the control plane and the templates of new projects');
    const lockWatch = env.roles.includes('worker')
      ? openLockWatch(composition, closings)
      : undefined;
    const parts = { ...(await openParts(env, composition, closings)), drains };
    lockWatch?.nameProjects(parts.projects);
    onStep('projects', 'the first operator and the demo project, where they are missing');
    await prepareFirstRun(env, parts.controlPlane, parts.projects);
    onStep('listening', `the parts ${env.roles.join(', ')} on their ports`);
    const dataPlane = env.roles.includes('api') ? await startApi(env, parts, closings) : undefined;
    if (dataPlane) urls['api'] = env.publicUrl.origin;
    if (env.roles.includes('console')) urls['console'] = await startConsole(env, parts, closings);
    const functions = await sendingFunctions(env, parts, closings, dataPlane);
    const sending = { ...parts, deployment: workerDeployment(env), functions };
    if (env.roles.includes('worker')) {
      const worker = await createWorker(sending);
      closings.push(() => worker.close());
    } else if (functions.kind === 'here') closings.push(startPassedMessages(sending));
    parts.loopWatch.start();
    const close = async () => {
      await drainAll(env, drains);
      await closeAll(closings);
    };
    return { urls, close };
  } catch (error) {
    // The error of the start has more information, and decides whether to retry.
    await closeAll(closings).catch((err: unknown) =>
      composition.log.warn({ err }, 'closing what the start had opened failed'),
    );
    throw error;
  }
}

/** Opened before the control plane, whose migrations may wait for a lock of a project. */
function openLockWatch(composition: Composition, closings: Close[]): RunningLockWatch {
  const lockWatch = startLockWatch(composition);
  closings.push(() => lockWatch.close());
  return lockWatch;
}

/** Load balancers notice that the process is not ready while it still serves; then running requests finish. */
async function drainAll(env: Env, drains: readonly Drain[]): Promise<void> {
  for (const drain of drains) drain.announce();
  await delay(env.preStopSeconds * 1000);
  await Promise.all(drains.map((drain) => drain.finish(env.drainSeconds * 1000)));
}

function newDrain({ drains }: ProcessParts): Drain {
  const drain = new Drain();
  drains.push(drain);
  return drain;
}

async function openParts(
  env: Env,
  composition: Composition,
  closings: Close[],
): Promise<Omit<ProcessParts, 'drains'>> {
  const { databaseUrl, log, controlPlaneDatabase = defaultDatabase } = composition;
  const controlPlane = await openControlPlaneOrSay(env, composition);
  closings.push(() => controlPlane.close());
  const jobStore = jobStoreOf(env, databaseUrl, controlPlaneDatabase);
  const bus = await openSignalBus(jobStore, (error) =>
    log.warn({ err: error }, 'the signal bus failed'),
  );
  closings.push(() => bus.close());
  const messageJobs = await openMessageJobs(jobStore, log);
  closings.push(() => messageJobs.close());
  const deliveryJobs = await openDeliveryJobs(jobStore, log);
  closings.push(() => deliveryJobs.close());
  const loopWatch = watchLoop(log);
  closings.push(async () => loopWatch.close());
  const readerWatch = watchReaders(composition.readerLimits);
  closings.push(async () => readerWatch.close());
  return {
    ...composition,
    controlPlane,
    jobStore,
    bus,
    messageJobs,
    deliveryJobs,
    loopWatch,
    readerWatch,
    projects: projectsContext(controlPlane, (topic, data) => bus.announce(topic, data)),
    assertionKey: deriveKey(controlPlane.masterKey.bytes, 'assertions'),
  };
}

async function openControlPlaneOrSay(env: Env, composition: Composition): Promise<ControlPlane> {
  const { databaseUrl, masterKey, log, migrationsRoot } = composition;
  const { controlPlaneDatabase = defaultDatabase } = composition;
  try {
    return await openControlPlane({
      databaseUrl,
      masterKey,
      formerMasterKey: env.formerMasterKey,
      databaseName: controlPlaneDatabase,
      dataDir: env.dataDir,
      reservedRefs: reservedRefs(env),
      removeObjects: objectRemoval(env, log),
      onWatchFailure: (ref, err) =>
        log.warn({ ref, err }, 'the reason why the drop of a database waits is unknown'),
      holdsUpgrades: env.projectUpgrades === 'manual',
      ...(migrationsRoot !== undefined && { migrationsRoot }),
    });
  } catch (error) {
    if (!(error instanceof ControlPlaneStartError)) throw error;
    throw new StartError(error.message, error);
  }
}

const hostIn =
  (env: Env) =>
  (ref: string): string =>
    projectUrl(env, ref).hostname;

/** Edge functions run where the data plane is. */
async function sendingFunctions(
  env: Env,
  { jobStore, log }: ProcessParts,
  closings: Close[],
  dataPlane: DataPlane | undefined,
): Promise<SendingFunctions> {
  if (dataPlane) {
    const { registry } = dataPlane;
    const hostOf = hostIn(env);
    return {
      kind: 'here',
      callOf: (ref) => async (slug, call) => {
        using lease = await registry.acquire(hostOf(ref));
        return await lease.value.callEdgeFunction(slug, call);
      },
    };
  }
  const jobs = await openPassedJobs(jobStore, log);
  closings.push(() => jobs.close());
  return { kind: 'elsewhere', jobs };
}

async function startApi(env: Env, parts: ProcessParts, closings: Close[]): Promise<DataPlane> {
  const { controlPlane, log, assertionKey } = parts;
  const functionsHost = openFunctions(env, log);
  closings.push(() => functionsHost.close());
  let serveLocally: RuntimeDeps['serveLocally'] = (_request, response) => void response.destroy();
  const dataPlane: DataPlane = await openDataPlane(env, {
    ...parts,
    functionsHost,
    serveLocally: (request, response) => serveLocally(request, response),
  });
  closings.push(() => dataPlane.close());
  const drain = newDrain(parts);
  const app = await createApiApp({
    drain,
    registry: dataPlane.registry,
    budget: dataPlane.budget,
    replies: dataPlane.replies,
    assertionKey,
    metricsToken: env.metricsToken,
    trustProxy: env.trustProxy,
    log,
    client: parts.client,
    pages: studioPages(env, parts),
    loopWatch: parts.loopWatch,
    readerWatch: parts.readerWatch,
    now: Date.now,
    async checkReady() {
      if (drain.isAnnounced) throw fail('SHUTTING_DOWN');
      await controlPlane.dataSource.query('select 1');
    },
  });
  closings.push(() => app.close());
  serveLocally = localServer(app);
  closings.push(startDeliverer({ ...parts, registry: dataPlane.registry, hostOf: hostIn(env) }));
  await listen(app, env.port, env.host);
  return dataPlane;
}

/** Says at the start if functions cannot run; everything else works without them. */
function openFunctions(env: Env, log: Logger): FunctionsHost {
  const host = openFunctionsHost({
    folder: join(env.dataDir, 'functions'),
    maxProcesses: env.functionProcesses,
    log,
    now: Date.now,
  });
  const { unavailable } = host;
  if (unavailable !== undefined) log.warn(`functions cannot run: ${unavailable}`);
  return host;
}

/** The pages that projects serve as their studio; undefined: they serve none. */
function studioPages(env: Env, { pages }: Composition): ConsoleFiles | undefined {
  return env.studio ? pages : undefined;
}

async function startConsole(env: Env, parts: ProcessParts, closings: Close[]): Promise<string> {
  const { controlPlane, bus, assertionKey, log } = parts;
  const app = await createConsoleApp({
    controlPlane,
    publish: (topic, data) => bus.announce(topic, data),
    projectRoutes: declaredRoutes(),
    apiInternalUrl: env.apiInternalUrl,
    assertionKey,
    rootDomain: env.rootDomain,
    readTxt: txtReader({ servers: env.dnsServers }),
    readHost: hostReader({ servers: env.dnsServers }),
    deployment: deploymentFacts(env, parts),
    projectUrl: (ref) => projectUrl(env, ref).origin,
    studioUrl: (ref) => (studioPages(env, parts) ? studioUrl(env, ref) : undefined),
    consoleUrl: env.consoleUrl.origin,
    drain: newDrain(parts),
    trustProxy: env.trustProxy,
    log,
    client: parts.client,
    pages: parts.pages,
    loopWatch: parts.loopWatch,
    deletedProjectDays: env.deletedProjectDays,
    readerWatch: parts.readerWatch,
    canMail: env.smtp !== undefined,
  });
  closings.push(() => app.close());
  await listen(app, env.consolePort, env.host);
  return env.consoleUrl.origin;
}

async function listen(app: NestFastifyApplication, port: number, host: string): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`cannot listen on port ${port}: ${reason}`, error);
  }
}
