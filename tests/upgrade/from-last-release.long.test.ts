// The data of the last release under this one: everything works as before, and names, owners and logins are those of
// a project that was made now. The owner of the second project has planted code for the superuser who upgrades it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { platformSchemas } from '../../libs/control-plane/src/provisioning/platform-schemas.js';
import {
  listCalls,
  listSuperusers,
  overloads,
  runAsOwner,
  traps,
} from '../support/hostile-owner.js';
import { asRecord, asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import { ProjectUnderTest, userPassword } from '../support/project.js';
import { type OldProject, type Restored, restoreLastRelease, waitMs } from './last-release.js';

let restored: Restored;
let deployment: Deployment;
let before: { readonly superusers: unknown; readonly victim: unknown };

beforeAll(async () => {
  restored = await restoreLastRelease();
  const [victim, hostile] = restored.projects;
  if (!victim || !hostile) throw new Error('the archive lacks a project');
  for (const sql of [overloads, references, traps]) await runAsOwner(addressOf(hostile), sql);
  await asSuperuser(waitingMessage, { database: new URL(victim.databaseUrl).pathname.slice(1) });
  before = {
    superusers: await listSuperusers(),
    victim: await dataOf(new URL(victim.databaseUrl).pathname.slice(1)),
  };
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

/** The connection string of an owner before the upgrade. */
function addressOf({ databaseUrl }: OldProject): string {
  const url = new URL(databaseUrl);
  url.host = new URL(testDatabaseUrl()).host;
  return url.href;
}

/** Foreign keys that the last release allows, whose checks and actions run code of the project. */
const references = `
create type public.own_id as enum ('x');
create function public.as_uuid(public.own_id) returns pg_catalog.uuid language plpgsql as
  $$begin perform public.note('cast of a key'); return pg_catalog.gen_random_uuid(); end$$;
create cast (public.own_id as pg_catalog.uuid) with function public.as_uuid(public.own_id) as implicit;
create table public.by_own_type (id public.own_id references auth."user" (id));
create table public.by_id (id pg_catalog.uuid references auth."user" (id) on update cascade on delete cascade);`;

const messageId = '00000000-0000-4000-8000-000000000001';
/** A message of a webhook that is off, with two attempts behind it. */
const waitingMessage = `
  with hook as (
    insert into storage.webhooks (bucket, url, secret, active)
    select slug, 'https://example.org/hook?key=k', 'sealed', false from storage.buckets limit 1 returning id
  )
  insert into storage.webhook_outbox (id, webhook_id, event, payload, attempts, last_status, last_error)
  select '${messageId}', id, 'uploaded', '{"type":"uploaded"}', 2, 503, 'status 503' from hook`;

/** What a project has that no upgrade changes, as one text. */
async function dataOf(database: string): Promise<unknown> {
  const [row] = await asSuperuser(
    `select (select json_agg(n order by id) from public.notes n) as notes,
       (select json_agg(g) from public.gone g) as gone,
       (select json_agg(json_build_array(id, email, name, status) order by id) from auth."user") as users,
       (select json_agg(json_build_array(id, "userId", password) order by id) from auth.account) as accounts,
       (select json_agg(json_build_array(id, key, referenceid) order by id) from (
         select id, key, "referenceId" as referenceid from auth.apikey) keys) as keys,
       (select json_agg(json_build_array(id, bucket, key, version, size, owner_id) order by id)
         from storage.stored_files) as files`,
    { database },
  );
  return row;
}

/** The project as this release shows it. */
async function opened(old: OldProject): Promise<ProjectUnderTest> {
  const reply = await deployment.console({ path: `/platform/projects/${old.ref}/database` });
  expect(reply.status).toBe(200);
  const { ref, publishableKey, secretKey } = old;
  const databaseUrl = String(asRecord(reply.body)['databaseUrl']);
  return new ProjectUnderTest({
    ref,
    apiOrigin: deployment.apiOrigin,
    publishableKey,
    secretKey,
    databaseUrl,
  });
}

test('an upgrade calls nothing that an owner has planted, and changes nothing beside it', async () => {
  const [victim, hostile] = await Promise.all(restored.projects.map(opened));
  if (!victim || !hostile) throw new Error('the archive lacks a project');
  for (const project of [hostile, victim])
    expect((await project.asService({ path: '/rest/v1/notes' })).status).toBe(200);
  const migrations = await asSuperuser('select name from platform.schema_migrations', {
    database: hostile.database,
  });
  expect(migrations).toContainEqual({ name: '0064_stored_catalog' });
  expect(await listCalls(hostile.database)).toEqual([]);
  expect(await listSuperusers()).toEqual(before.superusers);
  expect(await dataOf(victim.database)).toEqual(before.victim);
  const referring = await asSuperuser(
    `select conrelid::regclass::text as "table" from pg_constraint
     where contype = 'f' and confrelid = 'auth."user"'::regclass and connamespace = 'public'::regnamespace`,
    { database: hostile.database },
  );
  expect(referring.map(({ table }) => table).toSorted()).toEqual(['by_id', 'followers', 'notes']);
});

test('a message of a webhook waits on, with its attempts', async () => {
  const [victim] = restored.projects;
  if (!victim) throw new Error('the archive lacks a project');
  const { database } = await opened(victim);
  const rows = await asSuperuser(
    `select o.event_id, o.target, o.status, o.attempts, o.response_status, o.error, o.payload
     from platform.outbox o join storage.webhooks w on w.id::text = o.source where o.kind = 'webhook'`,
    { database },
  );
  expect(rows).toEqual([
    {
      event_id: messageId,
      target: 'https://example.org/hook',
      status: 'pending',
      attempts: 2,
      response_status: 503,
      error: 'status 503',
      payload: { type: 'uploaded' },
    },
  ]);
  expect(await asSuperuser('select from storage.webhook_outbox', { database })).toEqual([]);
});

describe.each([
  { idType: 'text', at: 0 },
  { idType: 'uuid', at: 1 },
])('a project with $idType ids', ({ at }) => {
  let old: OldProject;
  let project: ProjectUnderTest;
  beforeAll(async () => {
    const found = restored.projects[at];
    if (!found) throw new Error('the archive lacks the project');
    old = found;
    project = await opened(old);
  });
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test('serves its rows to the session of before', async () => {
    const reply = await project.send({ path: '/rest/v1/notes', ...bearer(old.ada.token) });
    expect(reply).toMatchObject({ status: 200, body: [{ id: 1, body: 'first' }] });
  });

  test('serves its rows to the API key of before', async () => {
    const reply = await project.send({ path: '/rest/v1/notes', ...bearer(old.apiKey) });
    expect(reply).toMatchObject({ status: 200, body: [{ id: 1 }] });
  });

  test('lets its users sign in and write', async () => {
    const body = { email: 'ada@example.test', password: userPassword };
    const path = '/api/auth/sign-in/email';
    const signedIn = await project.send({ method: 'POST', path, body });
    expect(signedIn.status).toBe(200);
    const token = String(asRecord(signedIn.body)['token']);
    const written = await project.send({
      method: 'POST',
      path: '/rest/v1/notes',
      body: { id: 3, body: 'third' },
      ...bearer(token),
    });
    expect(written.status).toBe(201);
  });

  test('has its files', async () => {
    const path = `/api/files/${old.file}/raw`;
    const reply = await project.send({ path, ...bearer(old.ada.token) });
    expect(reply).toMatchObject({ status: 200, text: 'hello from before' });
  });

  test('counts and protects new tables', async () => {
    await project.sql('create table added (id int primary key)');
    const rows = await project.sql(
      `select relrowsecurity as rls from pg_class where relname = 'added'`,
    );
    expect(rows).toEqual([{ rls: true }]);
    expect((await project.asService({ path: '/rest/v1/added' })).body).toEqual([]);
  });

  test('deletes users with what its triggers do', async () => {
    const path = `/api/admin/users/${old.bob.id}`;
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(204);
    expect(await project.sql('select user_id from gone')).toEqual([{ user_id: old.bob.id }]);
  });

  test('has names that cannot be guessed, and the old ones are gone', async () => {
    expect(project.database).toMatch(/^p_d[0-9a-f]{20}$/);
    const left = await asSuperuser(
      `select datname as name from pg_database where datname = $1
       union all select rolname from pg_roles where starts_with(rolname, $2)`,
      { values: [`p_${old.ref}`, `${old.ref}_`] },
    );
    expect(left).toEqual([]);
  });

  test('has no object of the platform that belongs to a superuser', async () => {
    const rows = await asSuperuser(
      `select c.oid::regclass::text as name from pg_class c join pg_authid a on a.oid = relowner
       where rolsuper and relnamespace::regnamespace::text = any($1)
       union all
       select p.oid::regprocedure::text from pg_proc p join pg_authid a on a.oid = proowner
       where rolsuper and pronamespace::regnamespace::text = any($1)
       union all
       select nspname::text from pg_namespace join pg_authid a on a.oid = nspowner
       where rolsuper and nspname::text = any($1)`,
      { database: project.database, values: [platformSchemas] },
    );
    expect(rows).toEqual([]);
  });

  test('opens to the connection string that the console shows', async () => {
    const client = new pg.Client({ connectionString: project.databaseUrl });
    await client.connect();
    const { rows } = await client.query('select body from notes where id = 1');
    await client.end();
    expect(rows).toEqual([{ body: 'first' }]);
    expect(new URL(project.databaseUrl).username).toBe(project.login('owner'));
  });
});

test('the session of an operator goes on', async () => {
  const headers = { authorization: `Bearer ${restored.operatorToken}` };
  expect((await deployment.console({ path: '/platform/projects', headers })).status).toBe(200);
});
