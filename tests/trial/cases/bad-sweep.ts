// The hourly sweep goes on past a project that cannot be swept. Operators and the log learn which one it is, and why.
import { timeUntil } from '#libs/testing';
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import type { TrialDeployment } from '../deployment.js';
import { shownMs } from '../figures.js';
import { isEverySweepDone, listOperations, planSweeps, sweepRoundMs } from '../operations.js';

const mendedMs = 120_000;
/** Taken away from the project, so that its sweep fails. */
const missingTable = 'app_settings';

export const sweepOfBadProject: TrialCase = { name: 'sweep-bad-project', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment, projects } = trial;
  const found = new Findings();
  const bad = projectAt(trial, 6);
  const move = (from: string, to: string) =>
    deployment.ask(`alter table platform.${from} rename to ${to}`, bad.database);
  await move(missingTable, 'settings_away');
  let sweptMs = 0;
  try {
    await planSweeps(deployment);
    sweptMs = await timeUntil(() => isEverySweepDone(deployment, bad.ref), {
      ms: sweepRoundMs(projects.length),
      until: 'all other projects are swept',
    });
    await timeUntil(() => hasFailed(deployment, bad), {
      ms: 30_000,
      until: 'the failure is listed',
    });
  } finally {
    await move('settings_away', missingTable);
  }
  const reason = loggedReason(deployment, bad);
  found.check(reason !== undefined, 'no line of the log is about the sweep of the bad project');
  found.check(
    reason?.includes(missingTable) === true,
    `the log gives another reason than the missing table: ${reason}`,
  );
  const tookMs = await timeUntil(() => isEverySweepDone(deployment), {
    ms: mendedMs,
    until: 'the mended project is swept',
    everyMs: 500,
  });
  return found.outcome(
    `${projects.length - 1} projects swept in ${shownMs(sweptMs)} past one that failed, was listed and logged (${reason}); swept ${shownMs(tookMs)} after it was mended`,
  );
}

async function hasFailed(deployment: TrialDeployment, { ref }: ProjectUnderTest): Promise<boolean> {
  const open = await listOperations(deployment);
  return open.some((each) => each.ref === ref && each.kind === 'sweep' && each.lastError !== null);
}

/** The message of the error in the line about the failed sweep; undefined when no line has the ref. */
function loggedReason({ log }: TrialDeployment, { ref }: ProjectUnderTest): string | undefined {
  const entry = log.find(ref, (each) => each['kind'] === 'sweep' && each['ref'] === ref);
  const { err }: { err?: { message?: unknown } } = entry ?? {};
  return entry && String(err?.message);
}
