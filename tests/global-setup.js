// Gives the tests their servers: PostgreSQL, the one of TEST_DATABASE_URL or else a throw-away cluster
// (tests/throw-away-cluster.js), and an S3 server for those who ask for one (tests/support/swift-process.ts).
// Each is owned by a child process that dies with this process, however it ends.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const clusterScript = fileURLToPath(new URL('./throw-away-cluster.js', import.meta.url));
const swiftScript = fileURLToPath(new URL('./support/swift-process.ts', import.meta.url));
const servers = [];
/** As this process was started: Swift keeps attributes of files, which not every Linux has in memory. */
const ownEnvironment = { ...process.env };
const typescriptHooks = new URL('./support/typescript-hooks.js', import.meta.url).href;

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';
/** Several times of what the tests ever hold there. */
const neededBytes = 6 * 1024 ** 3;

/** Starts them. What it returns removes what shared deployments leave, and waits until the servers are gone. */
export default async function startServers({ name } = {}) {
  // Proofs are about files of a disk.
  const inMemory = name === 'proof' ? undefined : await workInMemory();
  await offerSwift();
  const given = process.env.TEST_DATABASE_URL;
  process.env.TEST_DATABASE_URL ||= await firstLine(start([clusterScript]));
  process.env.TEST_RUN = randomBytes(4).toString('hex');
  process.env.TEST_FOLDER = await mkdtemp(join(tmpdir(), 'rowhouse-tests-'));
  return async () => {
    if (given) await dropDatabases(given, `deployment_${process.env.TEST_RUN}_`);
    await rm(process.env.TEST_FOLDER, { recursive: true, force: true });
    await Promise.all(servers.map(stop));
    if (inMemory !== undefined) await rm(inMemory, { recursive: true, force: true });
  };
}

/**
 * Sets TMPDIR, for the tests and all that they start, to a folder in memory where there is room: a database has a
 * thousand files, and making them on a disk takes ten times the processor time. Returns that folder.
 */
async function workInMemory() {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return undefined;
  try {
    const { bavail, bsize } = await statfs(memory);
    if (Math.min(bavail * bsize, freemem()) < neededBytes) return undefined;
    const folder = await mkdtemp(join(memory, 'rowhouse-'));
    await chmod(folder, 0o711); // PostgreSQL runs as another user.
    process.env.TMPDIR = folder;
    process.env.TEST_MEMORY = folder;
    return folder;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EROFS'].includes(error.code)) return undefined;
    throw error;
  }
}

async function dropDatabases(connectionString, prefix) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const found = await client.query(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of found.rows)
      await client.query(`drop database ${datname} with (force)`);
  } finally {
    await client.end();
  }
}

/** TEST_S3_SERVER answers with the port of the one S3 server of this run, which the first question starts. */
async function offerSwift() {
  let port;
  const door = createServer((_request, reply) => {
    port ??= firstLine(start(['--import', typescriptHooks, swiftScript], ownEnvironment));
    port.then(
      (line) => reply.end(line),
      (error) => reply.writeHead(500).end(error.message),
    );
  });
  door.listen(0, '127.0.0.1').unref();
  await once(door, 'listening');
  process.env.TEST_S3_SERVER = `http://127.0.0.1:${door.address().port}`;
}

function start(args, env = process.env) {
  const server = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A group of its own: what stops the run by a signal to its group would take away who cleans up.
    detached: true,
    env: { ...env, NODE_OPTIONS: '' },
  });
  servers.push(server);
  return server;
}

/** The first line that the child prints: how to reach it. Rejects when it ends before. */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`A server of the tests did not start (exit ${code}); the reason is above`)),
    );
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}

async function stop(server) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.stdin.end();
  await once(server, 'exit');
}
