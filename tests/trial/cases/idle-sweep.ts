// The hourly sweep costs little for idle projects: one sweep of a project is short, and rounds pass it by for a day.
import { openJobQueue } from '#libs/jobs';
import { timeUntil } from '#libs/testing';

import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import type { TrialDeployment } from '../deployment.js';
import { quantile, shownMs } from '../figures.js';
import { isEverySweepDone, planSweeps, sweepRoundMs } from '../operations.js';

const mostSweepMs = 10;
const mostRoundMs = 10;
const roundsPerDay = 24;
const idleProjects = 10;
const requestedProjects = 5;
/** The server notes the use of projects every two seconds. */
const notedMs = 30_000;

export const idleSweep: TrialCase = { name: 'idle-sweep', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment, projects } = trial;
  const found = new Findings();
  // A process that has just started has no use of projects to note.
  await deployment.restart();
  const idle = projects.slice(-idleProjects);
  const idleRefs = idle.map(({ ref }) => ref);
  for (const statement of watch) await deployment.ask(statement);
  try {
    const times = await sweepInTurn(deployment, idleRefs);
    const p50 = quantile(times, 0.5);
    found.check(times.length === idleProjects, `${times.length} sweeps were seen`);
    found.check(p50 <= mostSweepMs, `the p50 of a sweep is ${shownMs(p50)}`);
    const passedMs = await passByRound(trial, idleRefs, found);
    const dailyMs = await dailyRound(trial, idleRefs, found);
    const roundMs = ((roundsPerDay - 1) * passedMs + dailyMs) / roundsPerDay;
    found.check(roundMs <= mostRoundMs, `a round costs ${shownMs(roundMs)} for an idle project`);
    return found.outcome(
      `${times.length} sweeps of idle projects: p50 ${shownMs(p50)} (bar ${mostSweepMs} ms), at most ${shownMs(Math.max(...times))}; ` +
        `a round of the day costs ${shownMs(roundMs)} for each (bar ${mostRoundMs} ms): ${shownMs(passedMs)} soon after a sweep, ${shownMs(dailyMs)} a day later`,
    );
  } finally {
    for (const statement of unwatch) await deployment.ask(statement);
  }
}

/** The milliseconds of each sweep. One at a time: several would share the processors. */
async function sweepInTurn(
  deployment: TrialDeployment,
  refs: readonly string[],
): Promise<number[]> {
  for (const ref of refs) {
    await planSweeps(deployment, `ref = '${ref}'`);
    await timeUntil(() => isEverySweepDone(deployment), { ms: 30_000, until: `${ref} is swept` });
  }
  return takeTimes(deployment, refs);
}

/** A round soon after another one sweeps the projects that were requested since, and no other. */
async function passByRound(
  trial: Trial,
  idleRefs: readonly string[],
  found: Findings,
): Promise<number> {
  const { deployment, projects } = trial;
  const ms = sweepRoundMs(projects.length);
  // Cases before this one have used projects: their round.
  await planSweeps(deployment);
  await timeUntil(() => isEverySweepDone(deployment), { ms, until: 'all are swept' });
  await deployment.ask('truncate sweep_times');
  const before = await sweptAt(deployment);
  const requested = projects.slice(0, requestedProjects);
  for (const project of requested) await request(project);
  const refs = requested.map(({ ref }) => ref);
  await timeUntil(() => isUseNoted(deployment, refs), { ms: notedMs, until: 'their use is noted' });
  await runRound(deployment);
  const haveMoved = async () => (await moved(deployment, before)).length >= refs.length;
  await timeUntil(haveMoved, { ms, until: 'the requested projects are swept' });
  await timeUntil(() => isEverySweepDone(deployment), { ms, until: 'the round has ended' });
  const swept = await moved(deployment, before);
  const wanted = refs.toSorted().join(', ');
  found.check(swept.join(', ') === wanted, `swept were ${swept.join(', ')} instead of ${wanted}`);
  return mean(await takeTimes(deployment, idleRefs));
}

/** A round a day later sweeps the idle projects once. */
async function dailyRound(
  { deployment, projects }: Trial,
  idleRefs: readonly string[],
  found: Findings,
): Promise<number> {
  await deployment.ask(`update project set swept_at = swept_at - '25 hours'::pg_catalog.interval,
      used_at = used_at - '26 hours'::pg_catalog.interval
    where ref in (${listed(idleRefs)})`);
  const before = await sweptAt(deployment);
  await runRound(deployment);
  const haveMoved = async () => (await moved(deployment, before)).length >= idleRefs.length;
  const ms = sweepRoundMs(projects.length);
  await timeUntil(haveMoved, { ms, until: 'a day later the idle projects are swept' });
  await timeUntil(() => isEverySweepDone(deployment), { ms, until: 'the round has ended' });
  const times = await takeTimes(deployment, idleRefs);
  found.check(times.length === idleRefs.length, `${times.length} idle projects are swept in a day`);
  return mean(times);
}

/** Has the worker begin the hourly round at this moment. */
async function runRound(deployment: TrialDeployment): Promise<void> {
  const store = { kind: 'postgres', url: await deployment.controlPlaneUrl() } as const;
  const queue = await openJobQueue<{ kind: 'round' }>(store, 'projects', () => undefined);
  try {
    await queue.add({ id: `trial-round-${Date.now()}`, data: { kind: 'round' } });
  } finally {
    await queue.close();
  }
}

async function request(project: ProjectUnderTest): Promise<void> {
  const { status, text } = await project.send({ path: '/rest/v1/notes?limit=1' });
  if (status !== 200) throw new Error(`${project.ref} answers ${status} ${text}`);
}

async function isUseNoted(deployment: TrialDeployment, refs: readonly string[]): Promise<boolean> {
  const unnoted = await deployment.ask(
    `select from project where ref in (${listed(refs)}) and used_at < swept_at`,
  );
  return unnoted.length === 0;
}

/** When each project was swept last, by ref. */
async function sweptAt(deployment: TrialDeployment): Promise<ReadonlyMap<string, string>> {
  const rows = await deployment.ask('select ref, swept_at::pg_catalog.text as at from project');
  return new Map(rows.map(({ ref, at }) => [String(ref), String(at)]));
}

/** The refs of the projects that were swept since, in order. */
async function moved(
  deployment: TrialDeployment,
  before: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const after = await sweptAt(deployment);
  return [...after.keys()].filter((ref) => after.get(ref) !== before.get(ref)).toSorted();
}

const listed = (refs: readonly string[]): string => refs.map((ref) => `'${ref}'`).join(', ');

/** Of the idle projects; 0 when none was swept. */
const mean = (times: readonly number[]): number =>
  times.reduce((sum, ms) => sum + ms, 0) / idleProjects;

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

/** The milliseconds of the sweeps of these projects that were noted, from an attempt to its end; all notes go. */
async function takeTimes(deployment: TrialDeployment, refs: readonly string[]): Promise<number[]> {
  const rows = await deployment.ask(`select
      extract(epoch from max(at) filter (where state = 'done')
        - min(at) filter (where state = 'running'))::pg_catalog.float8 * 1000 as ms
    from sweep_times where ref in (${listed(refs)}) group by ref`);
  await deployment.ask('truncate sweep_times');
  return rows.map(({ ms }) => Number(ms));
}
