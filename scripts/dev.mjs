// `npm run dev`: the compiler watches the sources, and the server is started again after each change
// that compiles. The pages of the console have a server of their own, which shows a change without loading the page
// again, and sends everything else to the console. Ctrl-C ends all, the server in order.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { viteConfig } from '../apps/console/web/vite.config.js';
import { buildClient } from '../bin/build-client.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
/** Several files saved at once give several compilations; the server waits for the last. */
const settleMs = 200;

/** Where the console itself answers. */
const consoleOrigin = `http://127.0.0.1:${process.env.CONSOLE_PORT ?? 8001}`;
/** What is no page: the API of the console and its description. */
const ofConsole =
  '^/(platform|auth|admin|docs|client(-channels)?\\.(js|tgz)|livez|readyz)(/|\\?|$|-)';

// The client is served as it is now; its sources are not watched.
await buildClient();

const pages = await createServer({
  ...viteConfig,
  base: '/',
  server: { host: '127.0.0.1', proxy: { [ofConsole]: consoleOrigin } },
});
await pages.listen();
console.log(`dev: the console with hot reload is at ${pages.resolvedUrls?.local[0] ?? ''}`);

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
  await Promise.all([stop(server), stop(compiler), pages.close()]);
  process.exit(0);
}

async function stop(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
