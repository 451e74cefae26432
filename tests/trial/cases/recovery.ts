// kill -9 of the database server when every project has a row that no checkpoint may have written yet.
import { timeUntil } from '#libs/testing';
import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import type { TrialDeployment } from '../deployment.js';
import { counted, shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';

const mostMs = 2_000;
/** The bound is for so many projects or fewer; it grows with a larger fleet. */
const boundedProjects = 350;
/** After this time the case gives up. */
const patienceMs = 120_000;
const lookMs = 20;

export const recovery: TrialCase = { name: 'recovery', run };

async function run({ deployment, projects }: Trial): Promise<Outcome> {
  const found = new Findings();
  const id = `recovery-${Date.now()}`;
  const statuses = await forEachProject(projects, async (project) => {
    const call = { method: 'POST', path: '/rest/v1/notes', body: { id } };
    return (await project.asService(call)).status;
  });
  found.check(
    statuses.every((status) => status === 201),
    `rows were answered ${counted(statuses)}`,
  );
  const before = await startOf(deployment);
  found.check(await deployment.killDatabase(), 'there was no database server to kill');
  const databaseMs = await timeUntil(async () => (await startOf(deployment)) !== before, {
    ms: patienceMs,
    until: 'another database server answers',
    everyMs: lookMs,
  });
  const readyMs = await timeUntil(() => deployment.isReady(), {
    ms: patienceMs,
    until: 'both applications are ready',
    everyMs: lookMs,
  });
  const tookMs = databaseMs + readyMs;
  const limitMs = mostMs * Math.max(1, projects.length / boundedProjects);
  found.check(tookMs <= limitMs, `it took ${shownMs(tookMs)}, more than ${shownMs(limitMs)}`);
  const rows = await forEachProject(projects, ({ database }) =>
    deployment.ask(`select from public.notes where id = '${id}'`, database),
  );
  const lost = rows.filter(({ length }) => length === 0).length;
  found.check(lost === 0, `${lost} acknowledged rows are lost`);
  return found.outcome(
    `${projects.length} projects with a row each: PostgreSQL answers ${shownMs(databaseMs)} after kill -9, both applications are ready after ${shownMs(tookMs)} (bar ${shownMs(limitMs)}); ${lost} rows lost`,
  );
}

/** When the database server was started. Rejects while there is none. */
async function startOf(deployment: TrialDeployment): Promise<unknown> {
  const [row] = await deployment.ask(
    'select pg_catalog.pg_postmaster_start_time()::pg_catalog.text as at',
  );
  return row?.['at'];
}
