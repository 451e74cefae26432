// `npm test`, `npm test -- tests/http -t 'name'`: all tests but the proofs, with Vitest's own arguments. The files that
// failed run once more, one at a time: what passes then is printed last as `unstable: <file> > <test>` and does not
// fail the run, what fails twice does. An unstable file is mended or becomes a proof (CONTRIBUTING.md).
// `npm run test:unstable -- FILE`: runs the tests of that file 20 times and says how often each failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
const tested = ['--project', 'pure', '--project', 'product'];
/** More files than these do not fail by chance, and one at a time they would take long. */
const mostFiles = 10;
const rounds = 20;

let running;
// Vitest removes its data before it ends. Ctrl-C has reached it already: the terminal signals the group.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => running?.kill('SIGTERM'));

const [first, ...rest] = process.argv.slice(2);
process.exitCode =
  first === '--unstable' ? await countFailures(rest) : await testAll(process.argv.slice(2));

async function testAll(args) {
  const { code, failures } = await run([...tested, ...args]);
  const files = [...new Set(failures.map(({ file }) => file))];
  // Without a file that failed, the error is outside of every test, or the run was ended.
  if (code === 0 || files.length === 0 || files.length > mostFiles) return code;
  const failedTwice = new Set();
  for (const file of files) {
    console.log(`\nonce more: ${file}`);
    if ((await run([...tested, file])).code !== 0) failedTwice.add(file);
  }
  for (const { file, test } of failures) {
    console.log(`${failedTwice.has(file) ? 'failed twice' : 'unstable'}: ${file} > ${test}`);
  }
  return failedTwice.size === 0 ? 0 : 1;
}

async function countFailures(args) {
  const timesOf = new Map();
  let failedRuns = 0;
  for (let round = 0; round < rounds; round++) {
    const { code, failures } = await run([...tested, '--project', 'long', ...args]);
    if (code !== 0) failedRuns++;
    for (const { file, test } of failures) {
      const name = `${file} > ${test}`;
      timesOf.set(name, (timesOf.get(name) ?? 0) + 1);
    }
  }
  for (const [name, times] of timesOf) console.log(`failed ${times} times: ${name}`);
  console.log(`${failedRuns} of ${rounds} runs failed`);
  return failedRuns === 0 ? 0 : 1;
}

/** Runs Vitest. Returns its exit code and the tests that failed, with their files. */
async function run(args) {
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-results-'));
  const file = join(folder, 'results.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    running = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      stdio: 'inherit',
    });
    const [code] = await once(running, 'exit');
    return { code: code ?? 1, failures: await failuresIn(file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function failuresIn(file) {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  return JSON.parse(text).testResults.flatMap(({ name, status, assertionResults }) => {
    if (status === 'passed') return [];
    const failed = assertionResults.filter((each) => each.status === 'failed');
    const tests = failed.map(({ fullName }) => fullName);
    // A file that could not be loaded or prepared has no tests that failed.
    const path = relative(root, name);
    return (tests.length > 0 ? tests : ['the whole file']).map((test) => ({ file: path, test }));
  });
}
