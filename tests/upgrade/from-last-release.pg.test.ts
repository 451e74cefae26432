// The data of the last release under this one: everything works as before, and names, owners and logins are those of
// a project that was made now.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { asRecord, asSuperuser, House } from '../support/house.js';
import { ProjectUnderTest, userPassword } from '../support/project.js';
import { type OldProject, type Restored, restoreLastRelease } from './last-release.js';

let restored: Restored;
let house: House;

beforeAll(async () => {
  restored = await restoreLastRelease();
  house = await House.open({ ground: restored.ground });
}, 60_000);
afterAll(async () => {
  for (const { ref } of restored.projects) {
    const path = `/platform/projects/${ref}`;
    const reply = await house.console({ method: 'DELETE', path, body: { ref } });
    expect(reply.status).toBe(204);
  }
  await house.close();
}, 60_000);

/** The project as this release shows it. */
async function opened(old: OldProject): Promise<ProjectUnderTest> {
  const reply = await house.console({ path: `/platform/projects/${old.ref}/database` });
  expect(reply.status).toBe(200);
  const { ref, publishableKey, secretKey } = old;
  const databaseUrl = String(asRecord(reply.body)['databaseUrl']);
  return new ProjectUnderTest({
    ref,
    apiOrigin: house.apiOrigin,
    publishableKey,
    secretKey,
    databaseUrl,
  });
}

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
       where rolsuper and relnamespace::regnamespace::text in ('auth', 'storage', 'platform')
       union all
       select p.oid::regprocedure::text from pg_proc p join pg_authid a on a.oid = proowner
       where rolsuper and pronamespace::regnamespace::text in ('auth', 'storage', 'platform')`,
      { database: project.database },
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
  expect((await house.console({ path: '/platform/projects', headers })).status).toBe(200);
});
