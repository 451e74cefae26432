// The processes of OpenStack Swift with its S3 interface, as Debian packages it: one device, four processes, a folder
// of its own; nothing is left at the end.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// Not through '#libs/testing', which imports the test runner.
import { freePort } from '../../libs/testing/src/free-port.js';

const readyWithinMs = 60_000;
const askAgainMs = 50;
const stopWithinMs = 5000;
const pageLength = 5;
const services = ['account', 'container', 'object', 'proxy'] as const;
type Service = (typeof services)[number];
type Ports = Readonly<Record<Service, number>>;

/** Owner of all buckets of the server. */
export const owner = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
/** Known to the server, but without a right to anything. */
export const stranger = { accessKeyId: 'test:stranger', secretAccessKey: 'strange' };

export interface Swift {
  /** Where S3 is spoken on 127.0.0.1. */
  readonly port: number;
  close(): Promise<void>;
}

/** A program of Swift that is not installed here. */
export function findMissingProgram(): string | undefined {
  return services.map(programOf).find((program) => !existsSync(program));
}

/** Starts Swift on free ports of 127.0.0.1. Throws with its log when it is not ready in time. */
export async function openSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-s3-'));
  const processes: SwiftProcess[] = [];
  const endProcesses = (): void => processes.forEach(({ child }) => child.kill('SIGKILL'));
  process.once('exit', endProcesses);
  const close = async (): Promise<void> => {
    process.off('exit', endProcesses);
    await Promise.all(processes.map(stop));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const ports = await choosePorts();
    await writeConfiguration(folder, ports);
    await makeRings(folder, ports);
    processes.push(...services.map((service) => start(service, folder)));
    await Promise.all(processes.map((each) => waitUntilReady(each, ports[each.service])));
    return { port: ports.proxy, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface SwiftProcess {
  readonly service: Service;
  readonly child: ChildProcess;
  readonly log: () => string;
}

function programOf(service: Service): string {
  return `/usr/bin/swift-${service}-server`;
}

async function choosePorts(): Promise<Ports> {
  return {
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
    proxy: await freePort(),
  };
}

async function writeConfiguration(folder: string, ports: Ports): Promise<void> {
  await mkdir(join(folder, 'devices', 'disk'), { recursive: true });
  await Promise.all(
    services.map((service) =>
      writeFile(
        join(folder, `${service}.conf`),
        [...commonLines(folder, ports[service]), ...ownLines(service)].join('\n'),
      ),
    ),
  );
}

/** Swift gives up the rights of root for `user`, who therefore is ourselves. */
function commonLines(folder: string, port: number): readonly string[] {
  return [
    '[DEFAULT]',
    'bind_ip = 127.0.0.1',
    `bind_port = ${port}`,
    `user = ${userInfo().username}`,
    `swift_dir = ${folder}`,
    `devices = ${join(folder, 'devices')}`,
    `recon_cache_path = ${folder}`,
    'mount_check = false',
    'workers = 0',
    'disable_fallocate = true',
    'log_level = ERROR',
  ];
}

function ownLines(service: Service): readonly string[] {
  if (service !== 'proxy') {
    return [
      '[pipeline:main]',
      `pipeline = ${service}-server`,
      `[app:${service}-server]`,
      `use = egg:swift#${service}`,
    ];
  }
  const filters = ['catch_errors', 'gatekeeper', 'listing_formats', 'bulk'];
  const behindAuth = ['copy', 'slo', 'dlo'];
  return [
    '[pipeline:main]',
    `pipeline = ${[...filters, 'cache', 's3api', 'tempauth', ...behindAuth, 'proxy-server'].join(' ')}`,
    '[app:proxy-server]',
    'use = egg:swift#proxy',
    'account_autocreate = true',
    ...[...filters, ...behindAuth].flatMap((name) => [
      `[filter:${name}]`,
      `use = egg:swift#${name}`,
    ]),
    // Every listing of a test has several pages.
    '[filter:s3api]',
    'use = egg:swift#s3api',
    `max_bucket_listing = ${pageLength}`,
    // The users' filter insists on a cache and needs none for signed requests: nobody listens on port 1.
    '[filter:cache]',
    'use = egg:swift#memcache',
    'memcache_servers = 127.0.0.1:1',
    '[filter:tempauth]',
    'use = egg:swift#tempauth',
    `user_test_tester = ${owner.secretAccessKey} .admin`,
    `user_test_stranger = ${stranger.secretAccessKey}`,
  ];
}

/** Runs under the Python of the system, for which Debian installs Swift. */
async function makeRings(folder: string, ports: Ports): Promise<void> {
  const script = fileURLToPath(new URL('./s3-rings.py', import.meta.url));
  const given = [ports.account, ports.container, ports.object].map(String);
  const child = spawn('/usr/bin/python3', [script, folder, ...given], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = collectLog(child);
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exitCode !== 0) throw new Error(`The rings of Swift could not be made: ${log()}`);
}

function start(service: Service, folder: string): SwiftProcess {
  const child = spawn(programOf(service), [join(folder, `${service}.conf`), '-v'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.once('error', () => undefined); // Seen by waitUntilReady as a process that never listens.
  return { service, child, log: collectLog(child) };
}

function collectLog(child: ChildProcess): () => string {
  const keptChars = 4000;
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-keptChars);
  });
  return () => text;
}

async function waitUntilReady({ service, child, log }: SwiftProcess, port: number): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || child.pid === undefined || Date.now() > deadline) {
      throw new Error(`The ${service} server of Swift does not listen: ${log()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function stop({ child }: SwiftProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  const impatience = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(impatience);
}
