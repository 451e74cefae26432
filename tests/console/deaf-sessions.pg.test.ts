// A hostile owner keeps a lock in a function of PostgreSQL that hears no request to end. The server belongs to this
// file: it is restarted.
import { createProject, deleteProject } from '#libs/control-plane';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { type RunningLockWatch, startLockWatch } from '../../bin/lock-watch.js';
import {
  type ControlPlaneFixture,
  databaseIdOf,
  openFixture,
  uniqueWord,
} from './control-plane-fixture.js';
import { openOwnServer, type OwnServer } from '../support/own-server.js';

const patienceMs = 60_000;

let server: OwnServer;
let fixture: ControlPlaneFixture;
let watch: RunningLockWatch;
const errors: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = await openOwnServer();
  fixture = await openFixture(server.url);
}, 120_000);
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
}, 60_000);

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

const newProject = () =>
  createProject(fixture.context, fixture.actor, {
    name: 'Locks',
    ref: uniqueWord('w'),
    organizationId: fixture.organizationId,
  });

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
  await until(async () => {
    const found = `select from pg_catalog.pg_stat_activity where application_name = 'deaf' and state = 'active'`;
    return (await superuser.query(found)).rowCount === 1;
  });
  await superuser.end();
  return { outcome };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition().catch(() => false)) && Date.now() < deadline) await delay(100);
  expect(await condition()).toBe(true);
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
  const [deaf, victim] = [await newProject(), await newProject()];
  const database = `p_${await databaseIdOf(fixture, victim.ref)}`;
  const held = await holdDeafly(deaf.databaseUrl, database);
  const removed = deleteProject(fixture.context, fixture.actor, victim.ref).catch(() => undefined);
  await until(async () => (await statusOf(deaf.ref)) === 'paused');
  expect(await held.outcome).toBe('ended');
  await removed;
  await until(async () => {
    await deleteProject(fixture.context, fixture.actor, victim.ref).catch(() => undefined);
    return (await statusOf(victim.ref)) === undefined;
  });
  await until(async () => errors.length === 2);
  expect(errors).toEqual([
    expect.objectContaining({
      reason: 'blocks others',
      msg: 'PostgreSQL was restarted to end a session of a project',
    }),
    expect.objectContaining({ ref: deaf.ref, msg: 'a project was paused' }),
  ]);
  await expect(connect(deaf.databaseUrl)).rejects.toThrow();
}, 180_000);

test('on a server of the operator the log asks for its restart', async () => {
  startWatch();
  const [deaf, victim] = [await newProject(), await newProject()];
  await holdDeafly(deaf.databaseUrl, `p_${await databaseIdOf(fixture, victim.ref)}`);
  const removed = deleteProject(fixture.context, fixture.actor, victim.ref).catch(() => undefined);
  await until(async () => errors.length > 0);
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
  await until(async () => (await statusOf(deaf.ref)) === 'active');
}, 180_000);
