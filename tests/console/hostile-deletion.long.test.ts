// A project's owner prepares for the moment when a neighbor is deleted: with rights for its logins, and with locks.
import {
  createProject,
  deleteProject,
  dropLeftoverLogins,
  getProjectRecord,
} from '#libs/control-plane';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../support/test-server.js';
import {
  databaseIdOf,
  openFixture,
  tracesOf,
  uniqueWord,
  type ControlPlaneFixture,
} from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

test('rights that a neighbor gives to the logins of a project do not keep it from being deleted', async () => {
  const [victim, hostile] = [await fixture.newProject(), await fixture.newProject()];
  const owner = new URL(victim.url).username;
  const api = owner.replace('_owner', '_api');
  await withClient(hostile.url, (client) =>
    client.query(`
      grant usage on schema public to "${owner}", "${api}";
      create table planted (id int);
      grant select on planted to "${api}";
      create policy planted on planted to "${owner}" using (true);
      alter default privileges in schema public grant select on tables to "${owner}";
      create function planted() returns int language sql return 1;
      grant execute on function planted() to "${owner}";`),
  );
  await deleteProject(fixture.context, fixture.actor, victim.ref);
  expect(await tracesOf(fixture, victim.ref)).toEqual([]);
  await withClient(hostile.url, async (client) => {
    expect((await client.query('select from planted')).rowCount).toBe(0);
  });
});

test.each([
  {
    name: 'a lock on a table',
    statements: [
      'create policy p on locked to "{login}"',
      'begin; lock table locked in access exclusive mode',
    ],
  },
  {
    name: 'a grant that is not committed',
    statements: ['begin; grant select on locked to "{login}"'],
  },
])(
  '$name of a neighbor keeps no project from being deleted',
  async ({ statements }) => {
    const [victim, hostile] = [await fixture.newProject(), await fixture.newProject()];
    const login = new URL(victim.url).username;
    const id = await databaseIdOf(fixture, victim.ref);
    await withClient(hostile.url, async (holder) => {
      await holder.query('create table locked (id int)');
      // One query each: `begin` takes the statements before it in the same query into its transaction.
      for (const statement of statements) await holder.query(statement.replace('{login}', login));
      await deleteProject(fixture.context, fixture.actor, victim.ref);
      expect(await getProjectRecord(fixture.context, victim.ref)).toBeUndefined();
      expect(await canSignIn(id)).toEqual([]);
      // The ref is free, and the logins wait for the lock.
      const { organizationId } = fixture;
      const again = { name: 'Again', ref: victim.ref, organizationId };
      await createProject(fixture.context, fixture.actor, again);
      expect(await dropLeftoverLogins(fixture.context)).toEqual([id]);
      await holder.query('commit');
    });
    expect(await dropLeftoverLogins(fixture.context)).toEqual([]);
    await deleteProject(fixture.context, fixture.actor, victim.ref);
    expect(await tracesOf(fixture, victim.ref)).toEqual([]);
  },
  60_000,
);

test('logins that cannot be dropped keep no others from being dropped', async () => {
  const [broken, whole] = [uniqueWord('d'), uniqueWord('d')];
  const database = `p_${broken}`;
  const inside = new URL(fixture.databaseUrl);
  inside.pathname = `/${database}`;
  await withClient(fixture.databaseUrl, async (client) => {
    await client.query(`create role ${broken}_owner login; create role ${whole}_owner login`);
    await client.query(`create database ${database}`);
    await withClient(inside.href, (own) =>
      own.query(`create table t (); alter table t owner to ${broken}_owner`),
    );
    // PostgreSQL marks a database like this when its deletion was cut short: it takes no connection.
    await client.query('update pg_database set datconnlimit = -2 where datname = $1', [database]);
  });
  for (const id of [broken, whole]) {
    await fixture.controlPlane.dataSource.query(
      'insert into leftover_logins (database_id) values ($1)',
      [id],
    );
  }
  const failed: string[] = [];
  try {
    expect(await dropLeftoverLogins(fixture.context, (id) => failed.push(id))).toEqual([]);
    expect(failed).toEqual([broken]);
    expect(await canSignIn(whole)).toEqual([]);
  } finally {
    await withClient(fixture.databaseUrl, (client) => client.query(`drop database ${database}`));
  }
  expect(await dropLeftoverLogins(fixture.context)).toEqual([]);
}, 60_000);

/** The logins of a project that open a connection. */
const canSignIn = (id: string | undefined) =>
  withClient(fixture.databaseUrl, async (client) => {
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_catalog.pg_roles
       where rolcanlogin and pg_catalog.starts_with(rolname::text, $1)`,
      [`${id}_`],
    );
    return rows.map(({ rolname }) => rolname);
  });
