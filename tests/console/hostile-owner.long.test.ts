// A project's owner prepares its database for the moment when the platform works there: with functions, operators and
// types that fit better than the built-in ones, and with locks.
import {
  deleteProject,
  ensureMigrated,
  projectCondition,
  type ProjectsContext,
} from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { platformSchemas } from '../../libs/control-plane/src/provisioning/platform-schemas.js';
import {
  hurriedMigration,
  listCalls,
  listSuperusers,
  overloads,
  runAsOwner,
} from '../support/hostile-owner.js';
import { laterContext } from '../upgrade/upgrade-fixture.js';
import { withClient } from '../support/test-server.js';
import {
  databaseIdOf,
  openFixture,
  tracesOf,
  type ControlPlaneFixture,
  type NewProject,
} from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

/** The next release. */
const newer = (): ProjectsContext => ({
  ...laterContext(fixture, hurriedMigration),
  holdsUpgrades: false,
});

describe('overloads of everything', () => {
  let hostile: NewProject;
  beforeAll(async () => {
    hostile = await fixture.newProject();
    await runAsOwner(hostile.url, overloads);
  }, 60_000);

  const callers = () => listCalls(new URL(hostile.url).pathname.slice(1));

  test('there are many, and they are called where the search path leads to them', async () => {
    await withClient(hostile.url, async (client) => {
      const { rows } = await client.query<{ n: number }>(
        `select pg_catalog.count(*)::int as n from pg_catalog.pg_proc where pronamespace = 'public'::regnamespace`,
      );
      expect(rows[0]?.n).toBeGreaterThan(500);
      await client.query(`select hashtextextended('a'::name, 0)`);
      await client.query('begin; select lower(current_user); rollback');
    });
    expect((await callers()).length).toBeGreaterThan(0);
    await withClient(hostile.url, (client) => client.query('truncate public.calls'));
  });

  test('are not called when the project is upgraded, looked at and deleted', async () => {
    const before = await listSuperusers();
    await ensureMigrated(newer(), hostile.ref);
    expect(await projectCondition(newer(), hostile.ref)).toMatchObject({
      migrations: { isCurrent: true },
    });
    expect(await callers()).toEqual([]);
    expect(await listSuperusers()).toEqual(before);
    await deleteProject(fixture.context, fixture.actor, hostile.ref);
    expect(await tracesOf(fixture, hostile.ref)).toEqual([]);
  });
});

test('the schemas of the platform and all in them belong to a role that is no superuser', async () => {
  const { ref } = await fixture.newProject();
  const inside = new URL(fixture.databaseUrl);
  inside.pathname = `/p_${await databaseIdOf(fixture, ref)}`;
  const { rows } = await withClient(inside.href, (client) =>
    client.query<{ kind: string; name: string; schema: string; isSuper: boolean }>(
      `select kind, name, schema, rolsuper as "isSuper" from (
        select 'schema' as kind, nspname::text as name, nspname as schema, nspowner as owner from pg_namespace
        union all
        select 'relation', oid::regclass::text, relnamespace::regnamespace::name, relowner from pg_class
        union all
        select 'routine', oid::regprocedure::text, pronamespace::regnamespace::name, proowner from pg_proc
      ) found join pg_authid on pg_authid.oid = owner
      where schema = any($1)`,
      [platformSchemas],
    ),
  );
  const schemas = rows.filter(({ kind }) => kind === 'schema').map(({ name }) => name);
  expect(schemas.toSorted()).toEqual(platformSchemas.toSorted());
  for (const kind of ['relation', 'routine']) {
    expect(rows.filter((row) => row.kind === kind && row.schema === 'realtime')).not.toEqual([]);
  }
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ isSuper }) => isSuper)).toEqual([]);
});

test.each([
  {
    name: 'with a type of its own, whose cast would run in the check',
    sql: `create type r as enum ('x');
      create function go(r) returns uuid language sql as 'select gen_random_uuid()';
      create cast (r as uuid) with function go(r) as implicit;
      create table t (r r references auth."user" (id))`,
    code: 'PT403',
  },
  {
    name: 'when a column changes its type later',
    sql: `create type r as enum ('x');
      create function go(r) returns uuid language sql as 'select gen_random_uuid()';
      create cast (r as uuid) with function go(r) as implicit;
      create table t (r uuid references auth."user" (id));
      alter table t alter column r type r using 'x'::r`,
    code: 'PT403',
  },
  {
    name: 'to an address, which the platform changes',
    sql: 'create table t (email text references auth."user" (email) on update cascade)',
    code: '42501',
  },
])('a table may not refer to users $name', async ({ sql, code }) => {
  const { url } = await fixture.newProject('uuid');
  await withClient(url, async (client) => {
    await expect(client.query(sql)).rejects.toMatchObject({ code });
    await client.query('create table t (id uuid references auth."user" (id) on delete cascade)');
  });
});

test('the superuser reads nothing that belongs to a role of the project', async () => {
  const { ref } = await fixture.newProject();
  const inside = new URL(fixture.databaseUrl);
  inside.pathname = `/p_${await databaseIdOf(fixture, ref)}`;
  // As if the platform role of the project had fallen.
  await withClient(inside.href, (client) =>
    client.query(`
      create table public.calls (who text);
      grant insert on public.calls to public;
      alter table public.calls disable row level security;
      create function platform.boom() returns boolean language plpgsql as
        $$begin insert into public.calls values (current_user); return true; end$$;
      alter table platform.schema_migrations rename to kept;
      create view platform.schema_migrations as select * from platform.kept where platform.boom();
      grant all on platform.schema_migrations, platform.kept to public;
      grant usage on schema public to public`),
  );
  await ensureMigrated(newer(), ref);
  const { rows } = await withClient(inside.href, (client) =>
    client.query<{ who: string }>('select distinct who from public.calls'),
  );
  expect(rows).toEqual([{ who: expect.stringMatching(/_platform$/) }]);
});

test('locks that an owner takes in its database do not hold an upgrade up', async () => {
  const { ref, url } = await fixture.newProject();
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    for (const name of [
      'migrate project',
      'migrations platform.schema_migrations',
      `rowhouse upgrade ${ref}`,
      `rowhouse project ${ref}`,
    ]) {
      await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    }
    await ensureMigrated(newer(), ref);
    expect((await projectCondition(newer(), ref)).migrations.isCurrent).toBe(true);
  } finally {
    await holder.end();
  }
});
