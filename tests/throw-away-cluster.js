// Runs a PostgreSQL cluster for the tests and prints its connection string. It is a process of its own
// so that nothing stays behind: when the parent ends in whatever way, its end of our standard input
// closes, and the cluster is stopped and removed.
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const root = fileURLToPath(new URL('..', import.meta.url));

// The tests need the database until they have ended, and then standard input ends. A signal to this very process
// ends it in the same way; global-setup.js starts it in a group of its own, which signals to the run do not reach.
const asked = new Promise((resolve) => {
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, resolve);
});
process.on('SIGINT', () => {});

const supervisor = await loadSupervisor();
const folder = await mkdtemp(join(tmpdir(), 'rowhouse-test-'));
await chmod(folder, 0o711);
const tell = (message) => process.stderr.write(`${message}\n`);
const log = { info: () => {}, warn: tell, error: tell };
const postgres = await supervisor.openEmbeddedPostgres({ dataDir: folder, ephemeral: true, log });
process.stdout.write(`${postgres.url}\n`);
const left = new Promise((resolve) =>
  process.stdin.resume().once('end', resolve).once('error', resolve),
);
await Promise.race([asked, left]);
await postgres.stop('immediate');
// A run that was killed leaves its folder in memory to us.
for (const left of [folder, process.env.TEST_MEMORY])
  if (left !== undefined) await rm(left, { recursive: true, force: true });

/**
 * The supervisor, compiled file by file: Node.js does not run TypeScript, and the tests must not depend
 * on a build. The copy lies below the repository so that its package imports resolve.
 */
async function loadSupervisor() {
  const source = join(root, 'libs/postgres-server/src');
  const compiled = join(root, 'dist', `test-supervisor-${process.pid}`);
  await mkdir(compiled, { recursive: true });
  try {
    for (const name of await readdir(source)) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const { code } = await transformFile(join(source, name), {
        configFile: false,
        swcrc: false,
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
      });
      await writeFile(join(compiled, name.replace(/\.ts$/, '.js')), code);
    }
    return await import(join(compiled, 'index.js'));
  } finally {
    await rm(compiled, { recursive: true, force: true });
  }
}
