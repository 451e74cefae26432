// `npm run dev`: the compiler watches the sources, and the server is started again after each change
// that compiles. Ctrl-C ends both, the server in order.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildClient } from '../bin/build-client.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
/** Several files saved at once give several compilations; the server waits for the last. */
const settleMs = 200;

// The client is served as it is now; its sources are not watched.
await buildClient();

// Both children get a process group of their own: Ctrl-C comes to this process alone, which passes it on.
const compiler = spawn(
  process.execPath,
  [tsc, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true },
);
let server;
let ending = false;
let restarting = Promise.resolve();
let latest = 0;

compiler.stdout.setEncoding('utf8').on('data', (text) => {
  process.stdout.write(text);
  if (text.includes('Found 0 errors')) restart();
});
compiler.once('exit', () => void end());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end());

function restart() {
  const mine = ++latest;
  restarting = restarting.then(async () => {
    await delay(settleMs);
    if (mine !== latest || ending) return;
    await stop(server);
    if (!ending) server = start();
  });
}

function start() {
  return spawn(process.execPath, ['--enable-source-maps', 'dist/bin/start.js'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
}

async function end() {
  if (ending) return;
  ending = true;
  await restarting;
  await Promise.all([stop(server), stop(compiler)]);
  process.exit(0);
}

async function stop(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
