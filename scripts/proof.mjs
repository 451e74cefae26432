// `npm run test:proof -- --list`: the parts of the proofs (proof-parts.mjs), what each needs and about how long it
// takes. `npm run test:proof -- kills floods`: these parts, one after the other; exits with 1 if one fails.
// `npm run test:proof -- trial --projects 300 --minutes 20`, `-- soak --soak-minutes 60`: with options of their own
// (`--help`), on data of their own that are removed at the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from '../bin/build.js';
import { filesOf, parts } from './proof-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
const hooks = new URL('../tests/support/typescript-hooks.js', import.meta.url).href;
const trialFlags = [
  '--import',
  hooks,
  '--disable-warning=ExperimentalWarning',
  'tests/trial/main.ts',
];

const args = process.argv.slice(2);
const firstOption = args.findIndex((each) => each.startsWith('-'));
const names = firstOption === -1 ? args : args.slice(0, firstOption);
const options = args.slice(names.length);
const unknown = names.find((name) => !parts.some((part) => part.name === name));

let running;
// What runs removes its data before it ends. Ctrl-C has reached it already: the terminal signals the group.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => running?.kill('SIGTERM'));

if (unknown !== undefined) refuse(`there is no part "${unknown}"`);
else if (names.length === 0 && options.every((each) => each === '--list')) list();
else if (names.length === 0) refuse('name a part first');
else for (const name of names) await runPart(parts.find((part) => part.name === name));

function list() {
  for (const { name, shows, needs, minutes } of parts) {
    console.log(`${name.padEnd(10)} ${String(minutes).padStart(3)} min  ${shows}; needs ${needs}`);
  }
}

function refuse(reason) {
  console.error(`proof: ${reason}`);
  list();
  process.exitCode = 2;
}

async function runPart(part) {
  describeMachine(`${part.name} begins`);
  const begun = Date.now();
  let isGreen = true;
  for (const [command, ...rest] of await commandsOf(part)) {
    running = spawn(command, rest, { cwd: root, stdio: 'inherit' });
    const [code] = await once(running, 'exit');
    isGreen &&= code === 0;
    // Ctrl-C, or a signal to this process.
    if (code === null || code === 130) break;
  }
  if (!isGreen) process.exitCode = 1;
  const seconds = Math.round((Date.now() - begun) / 1000);
  describeMachine(`${part.name} ${isGreen ? 'passed' : 'FAILED'} in ${seconds} s`);
}

async function commandsOf({ name, commands, trial }) {
  if (commands !== undefined) return commands.map((command) => command.split(/\s+/));
  if (trial !== undefined) {
    await build((line) => console.error(`proof: ${line}`));
    return [[process.execPath, ...trialFlags, ...trial, ...options]];
  }
  const files = filesOf(name);
  // Long tests have their databases in memory, proofs on the disk: these are two runs.
  return ['long', 'proof']
    .map((kind) => [kind, files.filter((file) => file.endsWith(`.${kind}.test.ts`))])
    .filter(([, chosen]) => chosen.length > 0)
    .map(([kind, chosen]) => [
      process.execPath,
      vitest,
      'run',
      '--project',
      kind,
      ...options,
      ...chosen,
    ]);
}

/** Times of a busy machine say little. */
function describeMachine(moment) {
  const load = loadavg().map((each) => each.toFixed(1));
  console.error(
    `proof: ${moment}; processors: ${availableParallelism()}, load of 1, 5 and 15 minutes: ${load.join(', ')}`,
  );
}
