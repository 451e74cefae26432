import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

// Types of schemas that callers may use and the login of the connections may not.
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create schema kinds;
    create type kinds.mood as enum ('calm', 'stormy');
    grant usage on schema kinds to anon, authenticated, service_role;
    create table days (id int primary key, mood kinds.mood not null, moods kinds.mood[]);
    create policy everybody on days using (true) with check (true);
    create function days_of(mood kinds.mood) returns setof days language sql stable
      as 'select * from days d where d.mood = days_of.mood';`);
});

afterAll(() => deployment.close());

test('rows with such a column are written, changed and read', async () => {
  const write = (method: string, path: string, body: unknown) =>
    project.send({ method, path, body, headers: { prefer: 'return=representation' } });
  const created = await write('POST', '/rest/v1/days', [
    { id: 1, mood: 'calm', moods: ['calm', 'stormy'] },
    { id: 2, mood: 'calm' },
  ]);
  expect(created.body).toEqual([
    { id: 1, mood: 'calm', moods: ['calm', 'stormy'] },
    { id: 2, mood: 'calm', moods: null },
  ]);
  const changed = await write('PATCH', '/rest/v1/days?mood=eq.calm&id=eq.2', { mood: 'stormy' });
  expect(changed.body).toEqual([{ id: 2, mood: 'stormy', moods: null }]);
  const unknown = await write('POST', '/rest/v1/days', { id: 3, mood: 'sunny' });
  expect([unknown.status, unknown.body]).toMatchObject([400, { code: '22P02' }]);
});

test('a function with such an argument is called, also by many at once after it was fast', async () => {
  const call = () => project.send({ path: '/rest/v1/rpc/days_of?mood=stormy&select=id' });
  for (let n = 0; n < 10; n++) expect((await call()).body).toEqual([{ id: 2 }]);
  const replies = await Promise.all(Array.from({ length: 20 }, call));
  expect(new Set(replies.map(({ text }) => text))).toEqual(new Set(['[{"id":2}]']));
});
