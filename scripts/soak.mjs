// `npm run soak -- --minutes 60 --workers 50 --projects 5 --seed S`: accounts under load for longer and by more
// workers than in `npm run test:proof -- floods`, with a line each minute and a table at the end.
// `npm run soak -- --realtime --minutes 60 --followers 10`: clients that come and go follow changes, with the memory of
// the server each minute.
// `npm run soak -- --visit 1000`: that many projects are made once and visited in turn, with the memory curve.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    workers: { type: 'string', default: '50' },
    projects: { type: 'string', default: '5' },
    seed: { type: 'string' },
    visit: { type: 'string' },
    realtime: { type: 'boolean', default: false },
    followers: { type: 'string', default: '10' },
  },
});
const { file, env } = chosen();

const child = spawn(process.execPath, [vitest, 'run', '--project', 'proof', file], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, ...env },
  stdio: 'inherit',
});
// The run drops its databases before it ends; Ctrl-C has reached it already.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));

function chosen() {
  if (values.visit !== undefined) return visits(values.visit);
  return values.realtime ? realtime() : accounts();
}

function givenMinutes() {
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 24 * 60)) refuse('minutes', values.minutes);
  return minutes;
}

function givenSeed() {
  return wholeNumber('seed', values.seed ?? String(randomInt(1, 2 ** 31 - 2)));
}

function realtime() {
  const minutes = givenMinutes();
  const seed = givenSeed();
  const followers = wholeNumber('followers', values.followers);
  console.log(
    `soak: ${minutes} minutes, ${followers} clients of each kind, repeat with --seed ${seed}`,
  );
  return {
    file: 'tests/soak/realtime',
    env: { SOAK_REALTIME: String(minutes * 60), SOAK_FOLLOWERS: followers, SOAK_SEED: seed },
  };
}

function accounts() {
  const minutes = givenMinutes();
  const seed = givenSeed();
  const workers = wholeNumber('workers', values.workers);
  const projects = wholeNumber('projects', values.projects);
  console.log(
    `soak: ${minutes} minutes, ${workers} workers, ${projects} projects, repeat with --seed ${seed}`,
  );
  return {
    file: 'tests/soak/accounts',
    env: {
      SOAK_SECONDS: String(minutes * 60),
      SOAK_WORKERS: workers,
      SOAK_PROJECTS: projects,
      SOAK_SEED: seed,
    },
  };
}

function visits(text) {
  const projects = wholeNumber('visit', text);
  console.log(`soak: ${projects} projects visited in turn`);
  return { file: 'tests/soak/visit', env: { SOAK_VISIT: projects } };
}

function wholeNumber(name, text) {
  if (!/^[1-9]\d{0,8}$|^[12]\d{9}$/.test(text)) refuse(name, text);
  return text;
}

function refuse(name, text) {
  console.error(`soak: --${name} is no number that it may be: ${text}`);
  process.exit(1);
}
