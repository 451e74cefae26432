// The hourly sweep: it goes on past a project that cannot be swept, and costs little for idle projects.
import { needsSweep } from '#libs/control-plane';

import { ROUNDS_PER_DAY, timeSweeps } from '../../../bench/sweep-times.js';
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import type { Deployment } from '../deployment.js';
import { quantile, shownMs } from '../figures.js';
import { listOperations, planSweeps } from '../operations.js';
import { waitFor } from '../wait.js';

const mendedMs = 120_000;
const idleMs = 10;
const idleProjects = 10;
/** Half a second for each project, and a minute for the rest. */
const roundMs = (projects: number): number => projects * 500 + 60_000;

export const sweepOfBadProject: TrialCase = { name: 'sweep-bad-project', run: passBadProject };
export const idleSweep: TrialCase = { name: 'idle-sweep', run: sweepIdle };

async function passBadProject(trial: Trial): Promise<Outcome> {
  const { deployment, projects } = trial;
  const found = new Findings();
  const bad = projectAt(trial, 6);
  const move = (from: string, to: string) =>
    deployment.ask(`alter table platform.${from} rename to ${to}`, bad.database);
  await move('app_settings', 'settings_away');
  let sweptMs = 0;
  try {
    await planSweeps(deployment);
    sweptMs = await waitFor(() => isEverySweepDone(deployment, bad.ref), {
      ms: roundMs(projects.length),
      until: 'all other projects are swept',
    });
    await waitFor(() => hasFailed(deployment, bad), { ms: 30_000, until: 'the failure is listed' });
  } finally {
    await move('settings_away', 'app_settings');
  }
  const tookMs = await waitFor(() => isEverySweepDone(deployment), {
    ms: mendedMs,
    until: 'the mended project is swept',
    everyMs: 500,
  });
  return found.outcome(
    `${projects.length - 1} projects swept in ${shownMs(sweptMs)} past one that failed and was listed; swept ${shownMs(tookMs)} after it was mended`,
  );
}

async function isEverySweepDone(deployment: Deployment, but = ''): Promise<boolean> {
  const [row] = await deployment.ask(
    `select pg_catalog.count(*)::pg_catalog.int4 as open from operation
     where finished_at is null and kind = 'sweep' and ref <> '${but}'`,
  );
  return row?.['open'] === 0;
}

async function hasFailed(deployment: Deployment, { ref }: ProjectUnderTest): Promise<boolean> {
  const open = await listOperations(deployment);
  return open.some((each) => each.ref === ref && each.kind === 'sweep' && each.lastError !== null);
}

async function sweepIdle(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const times = await timeSweeps(
    (sql) => deployment.ask(sql),
    async () => {
      // One at a time: several would share the cores.
      for (const { ref } of trial.projects.slice(-idleProjects)) {
        await planSweeps(deployment, `ref = '${ref}'`);
        await waitFor(() => isEverySweepDone(deployment), { ms: 30_000, until: `${ref} is swept` });
      }
    },
  );
  // The other cases have used projects: a round sweeps those, and then none.
  await planSweeps(deployment, needsSweep);
  await waitFor(() => isEverySweepDone(deployment), {
    ms: roundMs(trial.projects.length),
    until: 'all are swept',
  });
  const [again] = await deployment.ask(
    `select pg_catalog.count(*)::pg_catalog.int4 as projects from project where ${needsSweep}`,
  );
  const p50 = quantile(times, 0.5);
  found.check(times.length === idleProjects, `${times.length} sweeps were seen`);
  // A project that nobody uses is swept once a day, and passed by in the other rounds.
  const eachRoundMs = p50 / ROUNDS_PER_DAY;
  found.check(
    eachRoundMs <= idleMs,
    `an idle project costs a round ${shownMs(eachRoundMs)}, more than ${idleMs} ms`,
  );
  found.check(
    again?.['projects'] === 0,
    `${String(again?.['projects'])} idle projects are swept again`,
  );
  return found.outcome(
    `${times.length} sweeps of idle projects: p50 ${shownMs(p50)}, at most ${shownMs(Math.max(...times))}; by the round ${shownMs(eachRoundMs)}`,
  );
}
