// `npm run test:proof -- --projects 300 --minutes 20 --soak-minutes 60`: the trial of a real deployment and the soak
// with kills, on data of their own that are removed at the end. `-- --help` lists the options.
// `npm run test:proof suites`: the tests of `*.proof.test.ts`, which kill, flood or guess for minutes.
import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from '../bin/build.js';

const [first, ...rest] = process.argv.slice(2);
const args = first === 'suites' ? suites(rest) : await trial();
describeMachine('begins');
const proof = spawn(process.execPath, args, {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
});
// The trial removes its data before it ends. Ctrl-C has reached it already, because the terminal signals the group.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => proof.kill('SIGTERM'));
proof.on('exit', (code, signal) => {
  describeMachine(`has ended with ${code ?? signal}`);
  process.exit(code ?? 1);
});

/** Times of a busy machine say little. */
function describeMachine(moment) {
  const load = loadavg().map((each) => each.toFixed(1));
  console.error(
    `proof: ${moment}; processors: ${availableParallelism()}, load of 1, 5 and 15 minutes: ${load.join(', ')}`,
  );
}

function suites(filters) {
  return [
    fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json'))),
    'run',
    '--project',
    'proof',
    ...filters,
  ];
}

async function trial() {
  try {
    await build((line) => console.error(`proof: ${line}`));
  } catch (error) {
    console.error(`proof: ${error.message}`);
    process.exit(1);
  }
  const hooks = new URL('../tests/support/typescript-hooks.js', import.meta.url).href;
  const flags = ['--import', hooks, '--disable-warning=ExperimentalWarning'];
  return [...flags, 'tests/trial/main.ts', ...process.argv.slice(2)];
}
