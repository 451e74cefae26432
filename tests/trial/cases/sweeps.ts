// The hourly sweep: it goes on past a project that cannot be swept, and costs little for idle projects.
import { needsSweep } from '#libs/control-plane';

import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import type { Deployment } from '../deployment.js';
import { quantile, shownMs } from '../figures.js';
import { listOperations, planSweeps } from '../operations.js';
import { waitFor } from '../wait.js';

const mendedMs = 120_000;
const idleMs = 10;
const idleProjects = 10;
const roundsPerDay = 24;
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

/** A trigger notes when the state of an operation changes, because sweeps that went well leave no row. */
const watch = [
  `create table sweep_times (
    ref pg_catalog.text, state pg_catalog.text, at pg_catalog.timestamptz default pg_catalog.clock_timestamp())`,
  `create function note_sweep() returns trigger language plpgsql as $$
    begin
      insert into sweep_times (ref, state) values
        (old.ref, case when tg_op = 'DELETE' then 'done' else new.state end);
      return null;
    end $$`,
  `create trigger note_sweep after update or delete on operation
    for each row when (old.kind = 'sweep') execute function note_sweep()`,
];
const unwatch = [
  'drop trigger if exists note_sweep on operation',
  'drop function if exists note_sweep()',
  'drop table if exists sweep_times',
];

async function sweepIdle(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  for (const statement of watch) await deployment.ask(statement);
  try {
    // One at a time: several would share the cores.
    for (const { ref } of trial.projects.slice(-idleProjects)) {
      await planSweeps(deployment, `ref = '${ref}'`);
      await waitFor(() => isEverySweepDone(deployment), { ms: 30_000, until: `${ref} is swept` });
    }
    const rows = await deployment.ask(`select ref,
        extract(epoch from max(at) filter (where state = 'done')
          - min(at) filter (where state = 'running'))::pg_catalog.float8 * 1000 as ms
      from sweep_times group by ref`);
    const times = rows.map((row) => Number(row['ms']));
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
    const eachRoundMs = p50 / roundsPerDay;
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
  } finally {
    for (const statement of unwatch) await deployment.ask(statement);
  }
}
