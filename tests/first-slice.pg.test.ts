import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from './support/deployment.js';
import type { ProjectUnderTest, SignedIn } from './support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table notes (
      id bigint generated always as identity primary key,
      owner text not null default auth.uid(),
      text text not null
    );
    create policy own on notes to authenticated
      using (owner = (select auth.uid())) with check (owner = (select auth.uid()));`);
  ada = await project.signUp('ada@example.org');
  bob = await project.signUp('bob@example.org');
});
afterAll(() => deployment.close());

test('users write, read, change and delete rows of their own', async () => {
  const created = await project.as(ada, {
    method: 'POST',
    path: '/rest/v1/notes',
    headers: { prefer: 'return=representation' },
    body: { text: 'mine' },
  });
  expect(created.status).toBe(201);
  expect(created.body).toEqual([{ id: 1, owner: ada.id, text: 'mine' }]);

  const changed = await project.as(ada, {
    method: 'PATCH',
    path: '/rest/v1/notes?id=eq.1',
    body: { text: 'changed' },
  });
  expect(changed.status).toBe(200);
  const read = await project.as(ada, { path: '/rest/v1/notes?select=text' });
  expect(read.body).toEqual([{ text: 'changed' }]);

  const deleted = await project.as(ada, { method: 'DELETE', path: '/rest/v1/notes?id=eq.1' });
  expect(deleted.status).toBe(200);
  expect((await project.as(ada, { path: '/rest/v1/notes' })).body).toEqual([]);
});

test('nobody reaches rows of somebody else', async () => {
  await project.as(ada, { method: 'POST', path: '/rest/v1/notes', body: { text: 'private' } });
  expect((await project.as(bob, { path: '/rest/v1/notes' })).body).toEqual([]);
  expect((await project.send({ path: '/rest/v1/notes' })).body).toEqual([]);

  const change = {
    method: 'PATCH',
    path: '/rest/v1/notes?text=eq.private',
    body: { text: 'taken' },
  };
  expect((await project.as(bob, change)).status).toBe(404);
  const forged = { method: 'POST', path: '/rest/v1/notes', body: { text: 'x', owner: ada.id } };
  const refused = await project.as(bob, forged);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    code: '42501',
    message: 'You do not have permission to perform this action.',
  });
  expect(await project.sql('select text from notes')).toEqual([{ text: 'private' }]);
});

test('a table without a policy shows nothing and takes nothing, until it has one', async () => {
  await project.sql('create table closed (id int primary key); insert into closed values (1)');
  expect((await project.as(ada, { path: '/rest/v1/closed' })).body).toEqual([]);
  const write = { method: 'POST', path: '/rest/v1/closed', body: { id: 2 } };
  expect((await project.as(ada, write)).status).toBe(403);
  expect((await project.asService({ path: '/rest/v1/closed' })).body).toEqual([{ id: 1 }]);
  await project.sql('create policy everybody on closed for select using (true)');
  expect((await project.send({ path: '/rest/v1/closed' })).body).toEqual([{ id: 1 }]);
});

test('names outside ASCII come back as they are, in JSON and in the header of CSV', async () => {
  await project.sql(`create table "größen" (id int primary key, "weiß €" text, "名前" text)`);
  await project.sql(`insert into "größen" values (1, 'ü', '山')`);
  const path = `/rest/v1/${encodeURIComponent('größen')}`;
  expect((await project.asService({ path })).body).toEqual([{ id: 1, 'weiß €': 'ü', 名前: '山' }]);
  const csv = await project.asService({ path, headers: { accept: 'text/csv' } });
  expect(csv.text).toBe('id,weiß €,名前\r\n1,ü,山\r\n');
});

test('the very next request sees a new column', async () => {
  await project.sql('create table growing (id int primary key); insert into growing values (1)');
  const read = () => project.asService({ path: '/rest/v1/growing' });
  expect((await read()).body).toEqual([{ id: 1 }]);
  await project.sql('alter table growing add column name text');
  expect((await read()).body).toEqual([{ id: 1, name: null }]);
});

test('a user who is deactivated is refused at once, a role that is given counts at once', async () => {
  const eve = await project.signUp('eve@example.org');
  const status = () => project.as(eve, { path: '/api/admin/auth/status' });
  expect((await status()).status).toBe(403);
  const { asSuperuser } = await import('./support/deployment.js');
  const set = (assignment: string) =>
    asSuperuser(`update auth."user" set ${assignment} where id = $1`, {
      database: project.database,
      values: [eve.id],
    });
  await set(`role = 'ADMIN'`);
  expect((await status()).status).toBe(200);
  await set(`status = 'inactive'`);
  const refused = await project.as(eve, { path: '/rest/v1/notes' });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ code: 'USER_INACTIVE' });
  expect((await project.as(eve, { path: '/api/auth/get-session' })).status).toBe(403);
});
