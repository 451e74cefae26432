// `npm run fuzz -- --runs N --seed S`: every property test and fuzzer of the table API with N cases each
// instead of a few thousand. The seed repeats those of tests/fuzz, and without one each night tries others;
// the property tests of the library name the seed that repeats a failure themselves.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));

const FILES = ['tests/fuzz/', '.property.test.ts'];

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const runs = wholeNumber('runs', values.runs);
const seed = wholeNumber('seed', values.seed ?? String(randomInt(2 ** 31)));
console.log(`fuzz: ${runs} cases, repeat with --seed ${seed}`);

const limit = `--testTimeout=${24 * 3_600_000}`;
const child = spawn(process.execPath, [vitest, 'run', limit, ...FILES], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed) },
  stdio: 'inherit',
});
// The run drops its databases before it ends; Ctrl-C has reached it already.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));

function wholeNumber(name, text) {
  if (/^\d{1,9}$|^[12]\d{9}$/.test(text)) return Number(text);
  console.error(`fuzz: --${name} is no whole number: ${text}`);
  process.exit(1);
}
