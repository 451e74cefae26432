// What a deployment that is at rest must not have: work that has not come to its end, and remains of work that was cut
// short.
import { timeUntil } from '#libs/testing';
import type { ProjectUnderTest } from '../../support/project.js';
import type { Trial } from '../case.js';
import type { TrialDeployment } from '../deployment.js';
import { forEachProject } from '../fleet.js';
import { isStuck, listOperations, planSweeps } from '../operations.js';

/** The note of a message that was never committed is kept for ten minutes, and then until the worker looks again. */
const uncommittedMinutes = 12;
/** From the end of a reservation until a served project has removed it: it looks every minute. */
const expiryMs = 150_000;

/** Returns a sentence for each thing that is stuck or left over. */
export async function listStuck(trial: Trial): Promise<readonly string[]> {
  const { deployment, projects } = trial;
  const open = await listOperations(deployment);
  const webhooks = await forEachProject(projects, (project) => stuckWebhooks(deployment, project));
  return [
    ...open
      .filter((operation) => isStuck(operation, Date.now()))
      .map((operation) => JSON.stringify(operation)),
    ...(await stuckMessages(deployment)),
    ...webhooks.flat(),
    ...(await leftOnServer(deployment)),
    ...(await leftUploads(trial)),
  ];
}

/** Messages that wait, and notes of messages that no longer do. */
async function stuckMessages(deployment: TrialDeployment): Promise<string[]> {
  const notes = await deployment.ask(`select n.ref, n.id::pg_catalog.text as id,
      'p_' || p.database_id as database,
      n.noted_at < pg_catalog.now() - pg_catalog.make_interval(mins => ${uncommittedMinutes}) as "isOld"
    from waiting_message n join project p on p.ref = n.ref`);
  const found = notes.map(async ({ ref, id, database, isOld }) => {
    const [message] = await deployment.ask(
      `select status, attempts, next_try_at, last_error from platform.messages where id = '${String(id)}'`,
      String(database),
    );
    if (message === undefined && isOld !== true) return [];
    return [`the note of message ${String(id)} of ${String(ref)}: ${JSON.stringify(message)}`];
  });
  return (await Promise.all(found)).flat();
}

async function stuckWebhooks(
  deployment: TrialDeployment,
  { ref, database }: ProjectUnderTest,
): Promise<string[]> {
  const rows = await deployment.ask(
    `select event_id as id, status, attempts, next_attempt_at, response_status, error
     from platform.outbox where kind = 'webhook' and status <> 'succeeded'`,
    database,
  );
  return rows.map((row) => `a webhook of ${ref}: ${JSON.stringify(row)}`);
}

/** Databases, logins and snapshots that belong to no project, and logins that deletions have noted. */
async function leftOnServer(deployment: TrialDeployment): Promise<string[]> {
  const rows = await deployment.ask(`
    select 'the logins of a deleted project: ' || database_id as text from leftover_logins
    union all
    select 'a database without a project: ' || datname from pg_catalog.pg_database
    where datname ~ '^p_d[0-9a-f]{20}$'
      and pg_catalog.substr(datname, 3) collate "C" not in (select database_id from project)
    union all
    select 'a login without a project: ' || rolname from pg_catalog.pg_roles
    where rolname ~ '^d[0-9a-f]{20}_'
      and pg_catalog.split_part(rolname, '_', 1) collate "C" not in (select database_id from project)
    union all
    select 'a snapshot without a note: ' || datname from pg_catalog.pg_database
    where datname ~ '^rowhouse_snapshot_'
      and datname collate "C" not in (select database from project_snapshot)`);
  return rows.map(({ text }) => String(text));
}

/** An upload that a kill has cut short is reserved for hours: they are over now, and the projects remove it. */
async function leftUploads({ deployment, projects }: Trial): Promise<string[]> {
  const cutShort = await forEachProject(projects, ({ database }) =>
    deployment.ask(
      `update storage.uploads set expires_at = pg_catalog.now(), leased_until = null returning id`,
      database,
    ),
  );
  const affected = projects.filter((_, index) => (cutShort[index]?.length ?? 0) > 0);
  if (affected.length === 0) return [];
  await planSweeps(deployment, `ref in (${affected.map(({ ref }) => `'${ref}'`).join(', ')})`);
  const left = () =>
    forEachProject(affected, async ({ ref, database }) => {
      const rows = await deployment.ask(
        'select id::pg_catalog.text as id, kind, expires_at from storage.uploads',
        database,
      );
      return rows.map((row) => `an upload of ${ref}: ${JSON.stringify(row)}`);
    });
  const isEmpty = async () => (await left()).flat().length === 0;
  await timeUntil(isEmpty, { ms: expiryMs, until: 'no upload is left', everyMs: 1_000 }).catch(
    () => undefined,
  );
  return (await left()).flat();
}
