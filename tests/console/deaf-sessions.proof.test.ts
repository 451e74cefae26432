// A hostile owner keeps a lock in a function of PostgreSQL that hears no request to end. The server belongs to this
// file: it is restarted.
import { deleteProject } from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { afterEach, expect, test } from 'vitest';
import { Client } from 'pg';
import { pino } from 'pino';
import { type RunningLockWatch, startLockWatch } from '../../bin/lock-watch.js';
import { type ControlPlaneFixture, databaseIdOf } from './control-plane-fixture.js';
import type { OwnServer } from '../support/own-server.js';
import { useOwnControlPlane } from './own-control-plane.js';

/** The server is away while it restarts. */
const restart = { ms: 60_000, everyMs: 100, retriesErrors: true };

let server: OwnServer;
let fixture: ControlPlaneFixture;
let watch: RunningLockWatch;
const errors: Record<string, unknown>[] = [];

useOwnControlPlane((opened) => ({ server, fixture } = opened));

function startWatch(endBackend?: OwnServer['endBackend']): void {
  const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line)) });
  watch = startLockWatch({
    databaseUrl: server.url,
    log,
    endBackend,
    limits: { stuckMs: 1_000 },
  });
  watch.nameProjects(fixture.context);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Takes a lock on the database of another project, and keeps it for minutes in which it looks for nothing. */
async function holdDeafly(url: string, database: string): Promise<{ outcome: Promise<string> }> {
  const client = await connect(url);
  await client.query(
    `begin; alter role current_user in database "${database}" set work_mem = '1MB'`,
  );
  // It may still be ended while it makes its long text.
  const search = `do $$
    declare
      long text := repeat('a', 200000000);
    begin
      perform set_config('application_name', 'deaf', false);
      perform position('b' || repeat('a', 2000) in long);
    end $$`;
  const outcome = client.query(search).then(
    () => 'done',
    () => 'ended',
  );
  const superuser = await connect(server.url);
  await waitFor(async () => {
    const found = `select from pg_catalog.pg_stat_activity where application_name = 'deaf' and state = 'active'`;
    return (await superuser.query(found)).rowCount === 1;
  }, restart);
  await superuser.end();
  return { outcome };
}

async function statusOf(ref: string): Promise<unknown> {
  const text = 'select status from project where ref = $1';
  const rows: { status: string }[] = await fixture.context.dataSource.query(text, [ref]);
  return rows[0]?.status;
}

afterEach(async () => {
  await watch.close();
  errors.length = 0;
});

test('its session ends with the others of the server, and its project is paused', async () => {
  startWatch(server.endBackend);
  const [deaf, victim] = [await fixture.newProject(), await fixture.newProject()];
  const database = `p_${await databaseIdOf(fixture, victim.ref)}`;
  const held = await holdDeafly(deaf.url, database);
  const removed = deleteProject(fixture.context, fixture.actor, victim.ref).catch(() => undefined);
  await waitFor(async () => (await statusOf(deaf.ref)) === 'paused', restart);
  expect(await held.outcome).toBe('ended');
  await removed;
  await waitFor(async () => {
    await deleteProject(fixture.context, fixture.actor, victim.ref).catch(() => undefined);
    return (await statusOf(victim.ref)) === undefined;
  }, restart);
  await waitFor(async () => errors.length === 2, restart);
  expect(errors).toEqual([
    expect.objectContaining({
      reason: 'blocks others',
      msg: 'PostgreSQL was restarted to end a session of a project',
    }),
    expect.objectContaining({ ref: deaf.ref, msg: 'a project was paused' }),
  ]);
  await expect(connect(deaf.url)).rejects.toThrow();
}, 180_000);

test('on a server of the operator the log asks for its restart', async () => {
  startWatch();
  const [deaf, victim] = [await fixture.newProject(), await fixture.newProject()];
  await holdDeafly(deaf.url, `p_${await databaseIdOf(fixture, victim.ref)}`);
  const removed = deleteProject(fixture.context, fixture.actor, victim.ref).catch(() => undefined);
  await waitFor(async () => errors.length > 0, restart);
  expect(errors).toEqual([
    expect.objectContaining({
      ref: deaf.ref,
      pid: expect.any(Number),
      reason: 'blocks others',
      msg: 'a session of a project does not end: restart PostgreSQL',
    }),
  ]);
  await server.endBackend(Number(errors[0]?.['pid']));
  await removed;
  await waitFor(async () => (await statusOf(deaf.ref)) === 'active', restart);
}, 180_000);
