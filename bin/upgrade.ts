// `rowhouse upgrade`: brings projects to this release, one first and then all in waves, while the server runs or is
// stopped. It works on the databases itself: the release that runs may be the one before.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  ControlPlaneStartError,
  dropSnapshots,
  hasControlPlane,
  lastWave,
  listSnapshots,
  openControlPlane,
  projectsContext,
  type ProjectsContext,
  undoUpgrade,
  upgradeFleet,
  upgradeProject,
  type UpgradeResult,
} from '#libs/control-plane';
import { AppError } from '#libs/errors';
import { openSignalBus, type SignalBus } from '#libs/jobs';
import { CommandError } from './command-error.js';
import { controlPlaneDatabase } from './control-plane-database.js';
import { keptMasterKey } from './data-folder.js';
import { type Env, takeProcessEnv } from './env.js';
import { jobStoreOf } from './job-store-of.js';
import { reservedRefs } from './project-address.js';
import { reachDatabase } from './reach-database.js';
import { checkSnapshotRoom } from './snapshot-room.js';
import { StartError } from './start-error.js';
import { linesText } from './terminal-lines.js';
import { readUpgradeOrder, type UpgradeOrder } from './upgrade-order.js';
import { describeEnd, describeResult, describeStatus } from './upgrade-report.js';

const print = (...lines: readonly string[]): void => void process.stdout.write(linesText(...lines));
const complain = (line: string): void => void process.stderr.write(linesText(`rowhouse: ${line}`));

/** Runs the command in this process: with its environment and its output. Returns the exit code. */
export async function runUpgrade(args: readonly string[]): Promise<0 | 1> {
  try {
    const order = readUpgradeOrder(args, lastWave);
    const env = takeProcessEnv();
    return await withProjects(env, (projects) => carryOut(env, projects, order));
  } catch (error) {
    const isPlain =
      error instanceof CommandError ||
      error instanceof StartError ||
      error instanceof ControlPlaneStartError ||
      error instanceof AppError;
    if (!isPlain) throw error;
    complain(error.message);
    return 1;
  }
}

async function carryOut(env: Env, projects: ProjectsContext, order: UpgradeOrder): Promise<0 | 1> {
  switch (order.kind) {
    case 'canary':
      return report(await named(order.ref, upgradeProject(projects, order.ref, canaryOptions)));
    case 'undo':
      return report(await named(order.ref, undoUpgrade(projects, order.ref)));
    case 'confirm':
      return confirm(projects, order.ref);
    case 'status':
      print(...(await describeStatus(projects)));
      return 0;
    case 'fleet':
      return upgradeAll(env, projects, order);
  }
}

const canaryOptions = { withSnapshot: true };

/** Waits for work on a project; its error names a missing project. */
async function named(ref: string, work: Promise<UpgradeResult>): Promise<UpgradeResult> {
  return work.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'PROJECT_NOT_FOUND') throw error;
    throw new CommandError(`There is no active or paused project ${ref}`, { cause: error });
  });
}

function report(result: UpgradeResult): 0 | 1 {
  print(describeResult(result));
  if (result.outcome !== 'failed') return 0;
  // The text of PostgreSQL may contain data of the project, so it is only shown at this machine.
  complain(`${result.ref}: ${String(result.error)}`);
  return 1;
}

async function confirm(projects: ProjectsContext, ref: string | undefined): Promise<0 | 1> {
  const kept = await listSnapshots(projects.dataSource);
  const refs = new Set(kept.map((each) => each.ref).filter((each) => (ref ?? each) === each));
  if (ref !== undefined && refs.size === 0) {
    throw new CommandError(`There is no snapshot of the project ${ref}`);
  }
  for (const each of refs) {
    await dropSnapshots(projects, each);
    print(`${each}  snapshot dropped`);
  }
  return 0;
}

async function upgradeAll(
  env: Env,
  projects: ProjectsContext,
  order: UpgradeOrder & { readonly kind: 'fleet' },
): Promise<0 | 1> {
  await refuseUnknown(projects, order.skips);
  const ended = new AbortController();
  const end = (): void => {
    complain('ending after the projects under way; go on with rowhouse upgrade');
    ended.abort();
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    const { throughWave = lastWave } = order;
    const run = await upgradeFleet(projects, {
      ...order,
      throughWave,
      signal: ended.signal,
      checkRoom: (copies) => checkSnapshotRoom(env, projects, copies),
      onProject(result, wave) {
        process.stdout.write(`wave ${wave}  `);
        report(result);
      },
    });
    print(await describeEnd(projects, run));
    return run.state === 'stopped' || run.failed > 0 ? 1 : 0;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

/** A misspelt ref would skip nothing. */
async function refuseUnknown(
  { dataSource }: ProjectsContext,
  refs: readonly string[],
): Promise<void> {
  for (const ref of refs) {
    const found: unknown[] = await dataSource.query('select from project where ref = $1', [ref]);
    if (found.length > 0) continue;
    throw new CommandError(`--skip names ${ref}, but this project does not exist`);
  }
}

/** Opens the control plane, which is brought to this release, and closes it after `work`. */
async function withProjects(
  env: Env,
  work: (projects: ProjectsContext) => Promise<0 | 1>,
): Promise<0 | 1> {
  const masterKey = await masterKeyOf(env);
  const database = await reachDatabase(env);
  try {
    if (!(await hasControlPlane(database.url, controlPlaneDatabase))) {
      throw new CommandError('The server has no control-plane database; start Rowhouse once');
    }
    const controlPlane = await openControlPlane({
      databaseUrl: database.url,
      masterKey,
      formerMasterKey: env.formerMasterKey,
      databaseName: controlPlaneDatabase,
      reservedRefs: reservedRefs(env),
      holdsUpgrades: true,
    });
    try {
      return await withBus(env, database.url, (publish) =>
        work(projectsContext(controlPlane, publish)),
      );
    } finally {
      await controlPlane.close();
    }
  } finally {
    await database.close();
  }
}

/** Runs `work` with a function that publishes its changes to the processes that serve projects. */
async function withBus<T>(
  env: Env,
  databaseUrl: string,
  work: (publish: SignalBus['publish']) => Promise<T>,
): Promise<T> {
  // Processes that miss a signal compare versions every two seconds.
  const bus = await openSignalBus(
    jobStoreOf(env, databaseUrl, controlPlaneDatabase),
    () => undefined,
  );
  try {
    return await work((topic, data) => bus.publish(topic, data));
  } finally {
    await bus.close();
  }
}

/** The key of the deployment. A command makes none. */
async function masterKeyOf({ masterKey, dataDir, databaseUrl }: Env): Promise<Buffer> {
  if (masterKey !== undefined) return masterKey;
  if (existsSync(join(dataDir, 'master.key'))) return keptMasterKey(dataDir);
  throw new CommandError(
    databaseUrl === undefined
      ? `The data folder ${dataDir} holds no deployment; set DATA_DIR to the folder of the server`
      : `The data folder ${dataDir} holds no master.key; set DATA_DIR or MASTER_KEY as for the server`,
  );
}
