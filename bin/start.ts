// From the environment to the line "ready": data folder, database, key, applications. Each step that
// fails ends the process with one line on standard error and exit code 1.
import { readFile } from 'node:fs/promises';
import { isRecord } from '#libs/wire';
import { readClientFiles } from './client-files.js';
import { readConsoleFiles } from './console-files.js';
import { keptMasterKey, markDataFolder, prepareDataFolder } from './data-folder.js';
import { lockData, openDatabase } from './database.js';
import { listProcessVariables, takeProcessEnv, type Env } from './env.js';
import { openLog } from './log.js';
import { checkPorts } from './ports.js';
import { Shutdown } from './shutdown.js';
import { StartError } from './start-error.js';
import { StartSteps } from './start-steps.js';

/** Beyond the time that running requests are given, for connections, workers and the database. */
const closeGraceMs = 10_000;

try {
  await run(takeProcessEnv());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`rowhouse: ${error.message}\n`);
  process.exitCode = 1;
}

async function run(env: Env): Promise<void> {
  const log = openLog(env.logLevel);
  const stopMs = (env.preStopSeconds + env.drainSeconds) * 1000;
  const shutdown = new Shutdown(log, stopMs + closeGraceMs);
  shutdown.listen();
  try {
    const urls = await start(env, shutdown, log);
    const shown = Object.entries(urls).map(([name, url]) => `${name} ${url}`);
    process.stdout.write(`ready ${shown.join(' ')}\n`);
  } catch (error) {
    if (!shutdown.isStopping) {
      if (!(error instanceof StartError)) log.fatal({ err: error }, 'the start failed');
      process.stderr.write(`rowhouse: ${oneLine(error)}\n`);
    }
    await shutdown.exit(1);
  }
}

/** Opens everything in order; `shutdown` closes it in the opposite one. */
async function start(
  env: Env,
  shutdown: Shutdown,
  log: ReturnType<typeof openLog>,
): Promise<Readonly<Record<string, string>>> {
  const steps = new StartSteps(log);
  steps.begin('database', describeDatabase(env));
  await prepareDataFolder(env.dataDir);
  await shutdown.open(() => lockData(env));
  await checkPorts(env);
  const masterKey = env.masterKey ?? (await keptMasterKey(env.dataDir));
  const version = await ownRelease();
  await markDataFolder(env.dataDir, version);
  // The applications are loaded while the database starts; what cannot start is said without them.
  const [database, { composeApplications }] = await Promise.all([
    shutdown.open(() => openDatabase(env, log)),
    import('./compose.js'),
  ]);
  const [client, pages] = await Promise.all([readClientFiles(), readConsoleFiles()]);
  const applications = await shutdown.open(() =>
    composeApplications(env, {
      databaseUrl: database.url,
      endBackend: database.endBackend,
      masterKey,
      log,
      client,
      pages,
      version,
      variables: listProcessVariables(),
      onStep: (name, detail) => steps.begin(name, detail),
    }),
  );
  steps.end();
  return applications.urls;
}

function describeDatabase({ databaseUrl, dataDir }: Env): string {
  if (databaseUrl !== undefined) return 'the database of DATABASE_URL';
  return `the database in ${dataDir}`;
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ');
}

/** The version in package.json, which lies above `dist`. */
async function ownRelease(): Promise<string> {
  const file = new URL('../../package.json', import.meta.url);
  const content: unknown = JSON.parse(await readFile(file, 'utf8'));
  const hasVersion = isRecord(content) && 'version' in content;
  return hasVersion ? String(content['version']) : 'unknown';
}
