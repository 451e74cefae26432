// A hostile owner holds locks while no watch ends its sessions: deletions and starts go on all the same.
// The server belongs to this file, so that the watch of another test's deployment ends no session here.
import {
  deleteProject,
  dropLeftoverLogins,
  getProjectRecord,
  openControlPlane,
  tidyServer,
} from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Deployment } from '../support/deployment.js';
import {
  databaseServer,
  withAdmin,
} from '../../libs/control-plane/src/provisioning/database-server.js';
import { withClient } from '../support/test-server.js';
import {
  databaseIdOf,
  tracesOf,
  uniqueWord,
  type ControlPlaneFixture,
} from './control-plane-fixture.js';
import type { OwnServer } from '../support/own-server.js';
import { useOwnControlPlane } from './own-control-plane.js';

let server: OwnServer;
let fixture: ControlPlaneFixture;
useOwnControlPlane((opened) => ({ server, fixture } = opened));

const superuser = (sql: string) => withClient(server.url, (client) => client.query(sql));
/** When the platform's sessions that wait for a lock began to wait. */
const waits = async (): Promise<readonly string[]> => {
  const { rows } = await superuser(
    `select waitstart::text from pg_catalog.pg_locks join pg_catalog.pg_stat_activity using (pid)
     where not granted and application_name = 'rowhouse provisioning'`,
  );
  return rows.map(({ waitstart }) => String(waitstart));
};

test('a grant that a neighbor commits during a deletion leaves logins for later, and nothing else', async () => {
  const [victim, hostile] = [await fixture.newProject(), await fixture.newProject()];
  const login = new URL(victim.url).username;
  const id = await databaseIdOf(fixture, victim.ref);
  await withClient(hostile.url, async (holder) => {
    await holder.query(`create table granted (id int); grant select on granted to "${login}"`);
    await holder.query(`begin; grant insert on granted to "${login}"`);
    const deletion = deleteProject(fixture.context, fixture.actor, victim.ref);
    // "tuple concurrently updated" is the answer to the session that waits.
    await waitFor(async () => (await waits()).length > 0);
    await holder.query('commit');
    await deletion;
  });
  expect(await getProjectRecord(fixture.context, victim.ref)).toBeUndefined();
  const traces = await tracesOf(fixture, victim.ref);
  expect(traces.filter((trace) => !trace.startsWith('role '))).toEqual([]);
  expect(traces.length).toBeGreaterThan(0);
  expect(await dropLeftoverLogins(fixture.context)).toEqual([]);
  expect(await tracesOf(fixture, victim.ref)).toEqual([]);
  expect(id).toBeDefined();
}, 60_000);

test('the drop of a database is tried again while a neighbor holds a lock on it', async () => {
  const [victim, hostile] = [await fixture.newProject(), await fixture.newProject()];
  const database = `p_${await databaseIdOf(fixture, victim.ref)}`;
  await withClient(hostile.url, async (holder) => {
    await holder.query(
      `begin; alter role current_user in database "${database}" set work_mem = '1MB'`,
    );
    const deletion = deleteProject(fixture.context, fixture.actor, victim.ref);
    await waitFor(async () => (await waits()).length > 0);
    const [first] = await waits();
    await waitFor(async () => (await waits()).some((began) => began !== first));
    await holder.query('commit');
    await deletion;
  });
  expect(await tracesOf(fixture, victim.ref)).toEqual([]);
}, 60_000);

test('a lock that lasts longer than the attempts is a conflict, and the deletion can be repeated', async () => {
  const [victim, hostile] = [await fixture.newProject(), await fixture.newProject()];
  const database = `p_${await databaseIdOf(fixture, victim.ref)}`;
  const remove = () => deleteProject(fixture.context, fixture.actor, victim.ref);
  await withClient(hostile.url, async (holder) => {
    await holder.query(
      `begin; alter role current_user in database "${database}" set work_mem = '1MB'`,
    );
    await expect(remove()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await getProjectRecord(fixture.context, victim.ref)).toBeUndefined();
    await holder.query('commit');
  });
  await remove();
  expect(await tracesOf(fixture, victim.ref)).toEqual([]);
}, 60_000);

test('a lock on a template of another release delays no start, and the template is dropped later', async () => {
  const old = 'rowhouse_template_text_000000000000';
  const hostile = await fixture.newProject();
  await superuser(`create database ${old} is_template true allow_connections false`);
  const failed: { part: string; error: unknown }[] = [];
  const tidy = () => tidyServer(fixture.context, [], (part, error) => failed.push({ part, error }));
  await withClient(hostile.url, async (holder) => {
    await holder.query(`begin; alter role current_user in database ${old} set work_mem = '1MB'`);
    const databaseName = uniqueWord('cp_test_');
    const masterKey = randomBytes(32);
    const opening = openControlPlane({
      databaseUrl: server.url,
      databaseName,
      masterKey,
      reservedRefs: [],
    });
    const opened = await Promise.race([
      opening,
      // A start that waits for the lock is let go by its own answer.
      waitFor(async () => (await waits()).length > 0).then(
        () => 'waits',
        () => 'stuck',
      ),
    ]);
    if (typeof opened === 'string') await holder.query('commit');
    await (await opening).close();
    expect(opened).not.toBe('waits');
    await superuser(`drop database ${databaseName} with (force)`);
    await tidy();
    expect(failed).toMatchObject([{ part: old, error: { code: '55P03' } }]);
    await holder.query('commit');
  });
  failed.length = 0;
  await tidy();
  expect(failed).toEqual([]);
  expect((await superuser(`select from pg_database where datname = '${old}'`)).rowCount).toBe(0);
}, 60_000);

test('settings of shared roles that projects hold locked take no more than a moment each', async () => {
  const roles = Array.from({ length: 10 }, (_, index) => `platform_held_${index}`);
  await superuser(
    roles.map((role) => `create role ${role}; alter role ${role} set work_mem = '1MB';`).join(''),
  );
  const failed: string[] = [];
  const tidy = () =>
    tidyServer(fixture.context, [], (part, error) => failed.push(`${part}: ${String(error)}`));
  try {
    await withClient(server.url, async (holder) => {
      await holder.query('begin');
      for (const role of roles) await holder.query(`alter role ${role} set work_mem = '2MB'`);
      const startedAt = performance.now();
      await tidy();
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      expect(failed).toEqual([expect.stringContaining('10 settings of shared roles are left')]);
      await holder.query('commit');
    });
    failed.length = 0;
    await tidy();
    expect(failed).toEqual([]);
  } finally {
    await superuser(roles.map((role) => `drop role ${role};`).join(''));
  }
}, 60_000);

test('a start waits seconds for a session that keeps connections to the control plane waiting', async () => {
  const deployment = await Deployment.open({ databaseUrl: server.url });
  const { databaseUrl } = await deployment.createProject();
  await deployment.stop();
  const { databaseName } = deployment.ground;
  const attacks: Promise<unknown>[] = [];
  await withClient(databaseUrl, (holder) =>
    withClient(databaseUrl, async (dropper) => {
      for (const client of [holder, dropper]) client.on('error', () => undefined);
      await holder.query(
        `begin; alter role current_user in database ${databaseName} set work_mem = '1MB'`,
      );
      attacks.push(dropper.query(`drop database ${databaseName}`).catch(() => undefined));
      await waitFor(async () => {
        const found = await superuser('select from pg_catalog.pg_locks where not granted');
        return found.rowCount !== 0;
      });
      const opening = Deployment.open({ databaseUrl: server.url, ground: deployment.ground });
      // A start that waits is let go at the end, so that it does not outlive the test.
      const again = await Promise.race([
        opening,
        waitFor(async () => false).catch(() => undefined),
      ]);
      await holder.query('rollback').catch(() => undefined);
      await (await opening).close();
      expect(again).toBeDefined();
    }),
  ).catch((error: unknown) => {
    // The watch has ended the session, so that it cannot say goodbye.
    if (!/terminat|not queryable/i.test(String(error))) throw error;
  });
  await Promise.all(attacks);
}, 60_000);

test('a connection of the superuser gives up on a server that does not answer', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    await expect(
      withAdmin(
        databaseServer(`postgres://a:b@127.0.0.1:${port}/c`),
        undefined,
        async () => undefined,
      ),
    ).rejects.toThrow('timeout');
  } finally {
    silent.close();
  }
}, 20_000);
