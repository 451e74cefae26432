// The parts `trial` and `soak` of `npm run test:proof`: cases on one deployment, and a report. Exit code 1 on a failure.
import { randomInt } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';

import { Cleanup } from '../../bench/cleanup.js';
import { Chance } from '../soak/chance.js';
import type { Outcome, Trial, TrialCase } from './case.js';
import { CASES } from './cases.js';
import { TrialDeployment } from './deployment.js';
import { createFleet } from './fleet.js';
import { openTrialInbox } from './inbox.js';
import { parseTrialOptions, type TrialOptions, usage } from './options.js';
import { linesOf, type Result, summaryOf } from './report.js';
import { runSoak } from './soak/soak.js';
import { openWebhookReceiver } from './webhook-receiver.js';

const soak = 'soak';
const names = [...CASES.map(({ name }) => name), soak];
/** Of the time of the trial, for a case that repeats itself. */
const roundsShare = 0.35;
const minuteMs = 60_000;

function say(line: string): void {
  console.error(`proof: ${line}`);
}

async function main(): Promise<void> {
  const seed = randomInt(1, 2 ** 31 - 2);
  const options = parseTrialOptions(process.argv.slice(2), { names, seed });
  if (options === undefined) {
    console.log(usage(names));
    return;
  }
  const cleanup = new Cleanup();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The same end may be asked for several times: a signal to the group is handed on as well.
    process.on(signal, () => void cleanup.close().finally(() => process.exit(130)));
  }
  try {
    const results = await runAll(options, cleanup);
    console.log(summaryOf(results, availableParallelism()));
    if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
  } finally {
    await cleanup.close();
  }
}

async function runAll(options: TrialOptions, cleanup: Cleanup): Promise<readonly Result[]> {
  say(`${options.projects} projects; repeat with --seed ${options.seed}`);
  const trial = await openTrial(options, cleanup);
  const isAsked = (name: string): boolean =>
    options.only.length === 0 ? name !== soak : options.only.includes(name);
  const results: Result[] = [];
  const add = async (trialCase: TrialCase): Promise<void> => {
    say(`${trialCase.name} begins`);
    const result = await runCase(trial, trialCase);
    results.push(result);
    for (const line of linesOf(result)) console.log(line);
  };
  const endsAt = Date.now() + options.minutes * minuteMs;
  const late: Outcome = { measured: 'not run', failures: ['the time of the trial was over'] };
  for (const trialCase of CASES.filter(({ name }) => isAsked(name))) {
    const isLate = Date.now() > endsAt;
    await add(isLate ? { ...trialCase, run: () => Promise.resolve(late) } : trialCase);
  }
  const { soakMinutes: minutes } = options;
  if (isAsked(soak)) await add({ name: soak, run: () => runSoak(trial, { minutes, say }) });
  return results;
}

async function openTrial(options: TrialOptions, cleanup: Cleanup): Promise<Trial> {
  const inbox = cleanup.keep(await openTrialInbox(), (opened) => opened.close());
  const receiver = cleanup.keep(await openWebhookReceiver(), (opened) => opened.close());
  const env = { ...inbox.env, ...receiver.env };
  // Kept while it is being opened: a signal may come before that has ended. One that fails removes itself.
  const deployment = await cleanup.keep(TrialDeployment.open(env), (opening) =>
    opening.then(
      (opened) => opened.remove(),
      () => undefined,
    ),
  );
  const fleet = await createFleet(deployment, options.projects, say);
  const roundsMs = options.minutes * minuteMs * roundsShare;
  return { deployment, ...fleet, inbox, receiver, chance: new Chance(options.seed), roundsMs };
}

/** A case that throws has failed; the next one finds a deployment that runs. */
async function runCase(trial: Trial, { name, run }: TrialCase): Promise<Result> {
  const { deployment } = trial;
  const startedAt = performance.now();
  let outcome: Outcome;
  try {
    await deployment.ensureReady();
    outcome = await run(trial);
    await deployment.ensureReady();
  } catch (error) {
    const log = deployment.log.tail().map((line) => `log: ${line}`);
    outcome = { measured: 'broken off', failures: [String(error), ...log] };
  }
  return { name, tookMs: performance.now() - startedAt, load: loadavg()[0] ?? 0, ...outcome };
}

try {
  await main();
} catch (error) {
  // An option that cannot be used, or a deployment that does not start.
  console.error(`proof: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
