// Owners who may make schemas have made those of the platform before an upgrade from the last release brings them, with
// code that waits for the platform's own role.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { listCalls, listSuperusers, overloads, runAsOwner } from '../support/hostile-owner.js';
import { asRecord, asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import { send } from '../support/http.js';
import { type OldProject, type Restored, restoreLastRelease, waitMs } from './last-release.js';

let restored: Restored;
let deployment: Deployment;
let one: OldProject;
let other: OldProject;
let superusers: unknown;

/** The schemas of the platform, and where they go when they make room. */
const names = ['auth', 'storage', 'platform', 'realtime'];
const schemas = [...names, ...names.map((name) => `own_${name}`)];
const tables = ['outbox', 'interest', 'opened', 'marks', 'kept', 'messages', 'schema_migrations'];
const functions = ['listen(int2[], text, int4)', 'trim_outbox(int4)', 'switch(regclass, bool)'];

/** A table into which the platform writes, open to it, with a trigger that would have the rights of the platform. */
const keptAlone = `
create schema realtime;
grant usage, create on schema realtime to public;
create table realtime.kept (
  is_only_row bool primary key default true,
  since pg_snapshot not null default pg_current_snapshot()
);
grant all on realtime.kept to public;
create function public.note_row() returns trigger language plpgsql as
  $f$begin perform public.note('trigger'); return null; end$f$;
create constraint trigger plant after insert on realtime.kept deferrable initially deferred
  for each row execute function public.note_row();`;

/** All that an owner can make under the names of the platform's schemas. */
const everything = `
alter default privileges grant all on schemas to public;
alter default privileges grant all on tables to public;
alter default privileges grant all on functions to public;
create function public.note_write() returns trigger language plpgsql as
  $f$begin perform public.note('trigger'); return null; end$f$;
do $plant$
declare
  place text;
  thing text;
begin
  foreach place in array array['${schemas.join("', '")}'] loop
    begin
      execute format('create schema %I', place);
      execute format('grant all on schema %I to public', place);
    exception when duplicate_schema then continue;
    end;
    foreach thing in array array['${tables.join("', '")}'] loop
      execute format('create table %I.%I (id int, name text, is_only_row bool default true)', place, thing);
      execute format('create trigger note after insert or update on %I.%I for each statement
        execute function public.note_write()', place, thing);
    end loop;
    foreach thing in array array['${functions.join("', '")}'] loop
      execute format('create function %I.%s returns text language plpgsql as %L',
        place, thing, 'begin perform public.note(''function''); return null; end');
    end loop;
    execute format('create sequence %I.gate', place);
  end loop;
end
$plant$;`;

/** The owner of the second, too, may make schemas; the archive does not have these rights. */
async function plant({ databaseUrl }: OldProject, sql: string): Promise<void> {
  const url = new URL(databaseUrl);
  url.host = new URL(testDatabaseUrl()).host;
  await asSuperuser(`grant create on database ${url.pathname.slice(1)} to ${url.username}`);
  await runAsOwner(url.href, `set search_path = pg_catalog; ${sql}`);
}

beforeAll(async () => {
  restored = await restoreLastRelease();
  const [first, second] = restored.projects;
  if (!first || !second) throw new Error('the archive lacks a project');
  [one, other] = [first, second];
  for (const [project, sql] of [
    [one, keptAlone],
    [other, everything],
  ] as const) {
    await plant(project, `set search_path = public, pg_catalog; ${overloads}`);
    await plant(project, sql);
  }
  superusers = await listSuperusers();
  deployment = await Deployment.open({ ground: restored.ground });
}, waitMs);
afterAll(async () => {
  for (const { ref } of restored.projects) {
    const path = `/platform/projects/${ref}`;
    const reply = await deployment.console({ method: 'DELETE', path, body: { ref } });
    expect(reply.status).toBe(204);
  }
  await deployment.close();
  await restored.leave();
}, 60_000);

/** Uses a project, which upgrades it, and returns the name of its database. */
async function upgraded({ ref, secretKey }: OldProject): Promise<string> {
  const headers = { host: `${ref}.localhost`, apikey: secretKey };
  const reply = await send(deployment.apiOrigin, { path: '/rest/v1/notes', headers });
  expect(reply.status).toBe(200);
  const access = await deployment.console({ path: `/platform/projects/${ref}/database` });
  return new URL(String(asRecord(access.body)['databaseUrl'])).pathname.slice(1);
}

/** The schemas of these names, with the last part of the names of their owners. */
const ownersIn = (database: string): Promise<unknown> =>
  asSuperuser(
    `select nspname as schema, substring(rolname from '[^_]*$') as owner
     from pg_namespace join pg_roles on pg_roles.oid = nspowner where nspname ~ '^(own_)?(auth|storage|platform|realtime)' order by 1`,
    { database },
  );

const platformSchemas = ['auth', 'platform', 'realtime', 'storage'].map((schema) => ({
  schema,
  owner: 'platform',
}));

test('a planted table is moved away, and its trigger never runs', async () => {
  const database = await upgraded(one);
  expect(await listCalls(database)).toEqual([]);
  expect(await listSuperusers()).toEqual(superusers);
  expect(await ownersIn(database)).toEqual(
    [...platformSchemas, { schema: 'own_realtime', owner: 'owner' }].toSorted((a, b) =>
      a.schema < b.schema ? -1 : 1,
    ),
  );
  const moved = await asSuperuser(
    `select 'own_realtime.kept'::regclass::text as name, has_schema_privilege('anon'::name, 'own_realtime'::text, 'create') as granted,
       not exists (select from own_realtime.kept) as empty`,
    { database },
  );
  expect(moved).toEqual([{ name: 'own_realtime.kept', granted: true, empty: true }]);
});

test('planted schemas of all names keep no upgrade from running, and nothing in them runs', async () => {
  const database = await upgraded(other);
  expect(await listCalls(database)).toEqual([]);
  expect(await listSuperusers()).toEqual(superusers);
  expect(await ownersIn(database)).toEqual(
    [
      ...platformSchemas,
      ...['own_auth', 'own_platform', 'own_realtime', 'own_realtime_2', 'own_storage'].map(
        (schema) => ({ schema, owner: 'owner' }),
      ),
    ].toSorted((a, b) => (a.schema < b.schema ? -1 : 1)),
  );
  const open = await asSuperuser(
    `select has_schema_privilege('anon'::name, 'realtime'::text, 'create') as "mayCreate"`,
    { database },
  );
  expect(open).toEqual([{ mayCreate: false }]);
});
