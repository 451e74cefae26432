import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoSql } from '../../bin/demo-project.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { clientOf as publishedClient } from './support/published-client.js';

// The published client against the demo project's tables, with the token of a signed-in user.
let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(demoSql);
  ada = await project.signUp('ada@example.org');
});
afterAll(() => deployment.close());

const clientOf = (token?: string) => publishedClient(project, token === undefined ? {} : { token });

test('a visitor reads the planets with filters, order, limit and count', async () => {
  const { data, error, count } = await clientOf()
    .from('planets')
    .select('name, moons', { count: 'exact' })
    .gt('moons', 1)
    .order('moons', { ascending: false })
    .limit(2);
  expect(error).toBeNull();
  expect(data).toEqual([
    { name: 'Saturn', moons: 146 },
    { name: 'Jupiter', moons: 95 },
  ]);
  expect(count).toBe(5);
});

test('in, is, neq, not and ilike read as the client writes them', async () => {
  const planets = () => clientOf().from('planets').select('id').order('id');
  expect((await planets().in('name', ['Earth', 'Mars'])).data).toEqual([{ id: 3 }, { id: 4 }]);
  expect((await planets().is('has_rings', true)).data).toHaveLength(4);
  expect((await planets().neq('kind', 'rocky')).data).toHaveLength(4);
  expect((await planets().not('kind', 'eq', 'rocky')).data).toHaveLength(4);
  expect((await planets().ilike('name', 'm%')).data).toEqual([{ id: 1 }, { id: 4 }]);
});

test('single and maybeSingle give one row or say why not', async () => {
  const planets = clientOf().from('planets');
  expect((await planets.select('name').eq('id', 3).single()).data).toEqual({ name: 'Earth' });
  const many = await planets.select('name').single();
  expect(many.error).toMatchObject({ code: 'PGRST116' });
  expect(many.status).toBe(406);
  expect((await planets.select('name').eq('id', 99).maybeSingle()).data).toBeNull();
});

test('a signed-in user writes and reads to-dos of their own; a visitor may not', async () => {
  const todos = clientOf(ada.token).from('todos');
  const created = await todos
    .insert([{ title: 'one' }, { title: 'two', due_on: '2030-01-02' }])
    .select('id, title, is_done');
  expect(created.error).toBeNull();
  expect(created.data).toEqual([
    { id: 1, title: 'one', is_done: false },
    { id: 2, title: 'two', is_done: false },
  ]);
  const updated = await todos.update({ is_done: true }).eq('id', 1).select('is_done');
  expect(updated.data).toEqual([{ is_done: true }]);
  expect((await todos.delete().eq('id', 2)).error).toBeNull();
  const { count } = await todos.select('*', { count: 'exact', head: true });
  expect(count).toBe(1);

  const visitor = clientOf().from('todos');
  expect((await visitor.select()).data).toEqual([]);
  const refused = await visitor.insert({ title: 'nobody' });
  expect(refused.status).toBe(403);
  expect(refused.error).toMatchObject({ code: '42501' });
});

test('range becomes limit and offset; rows beyond the end are none', async () => {
  const planets = clientOf().from('planets').select('id').order('id');
  expect((await planets.range(2, 3)).data).toEqual([{ id: 3 }, { id: 4 }]);
  expect((await clientOf().from('planets').select('id').range(100, 110)).data).toEqual([]);
});

test('errors come back as errors with the code of the standard', async () => {
  expect((await clientOf().from('nothing').select()).error).toMatchObject({ code: 'PGRST205' });
  const unknownColumn = await clientOf().from('planets').select('nothing');
  expect(unknownColumn.error).toMatchObject({ code: expect.stringMatching(/^(PGRST204|42703)$/) });
});
