// Gives the tests a PostgreSQL server: the one of TEST_DATABASE_URL, else a throw-away cluster that a
// child process owns (tests/throw-away-cluster.js) and that dies with this process, however it ends.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const clusterScript = fileURLToPath(new URL('./throw-away-cluster.js', import.meta.url));

export default async function startCluster() {
  if (process.env.TEST_DATABASE_URL) return;
  const cluster = spawn(process.execPath, [clusterScript], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  globalThis.testCluster = cluster;
  process.env.TEST_DATABASE_URL = await firstLine(cluster);
}

/** The first line that the child prints: its connection string. Rejects when it ends before. */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`The test cluster did not start (exit ${code})`)),
    );
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}
