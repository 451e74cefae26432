// Policies with more text than is analyzed decide as they do in PostgreSQL.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { openStage, type Stage } from './support.js';

let project: ProjectFixture;
let stage: Stage;
beforeAll(async () => {
  project = await createProject();
  stage = await openStage(project);
});
afterAll(() => project.drop());

const words = (count: number): string =>
  Array.from({ length: count }, (_, n) => `'word ${n}'`).join(', ');

test.each([
  { name: 'small', table: 'few_words', count: 10 },
  { name: 'large', table: 'many_words', count: 20_000 },
])('$name policies let each caller see the own rows, and no forbidden ones', async (policy) => {
  const { table, count } = policy;
  await project.admin.query(`
    create table public.${table} (owner text, word text);
    grant select on public.${table} to authenticated;
    create policy own on public.${table} using (owner = auth.uid());
    create policy allowed on public.${table} as restrictive using (word not in (${words(count)}))`);
  const changes = await stage.changes(
    `public.${table}`,
    `insert into public.${table} values ('ada', 'fine'), ('bob', 'fine'), ('ada', 'word 7')`,
  );
  const { newVisible, errors, hasGap } = await stage.ask(changes, ['ada', 'bob', 'eve']);
  expect([...errors, hasGap]).toEqual([false]);
  expect(newVisible).toEqual(['100', '010', '000']);
});
