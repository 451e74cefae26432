// Projects with listeners share the connections of a process with all others: there may be more of them than connections.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ConnectionBudget } from '#libs/database';
import { waitFor } from '#libs/testing';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

const count = 6;
const projects: ProjectFixture[] = [];
beforeAll(async () => {
  for (let n = 0; n < count; n += 1) {
    const project = await createProject();
    await project.admin.query(`
      create table public.news (text text);
      alter table public.news enable row level security;
      create policy everybody on public.news using (true);
      grant select on public.news to anon`);
    projects.push(project);
  }
}, 120_000);
afterAll(async () => {
  for (const project of projects) await project.drop();
});

test('more projects with listeners than connections all receive their changes, and requests go on', async () => {
  const budget = new ConnectionBudget({ total: 3, perProject: 2 });
  const stages: HubStage[] = [];
  const clients: Listener[] = [];
  for (const project of projects) {
    const stage = await openHubStage(project, { budget });
    stages.push(stage);
    const client = await stage.connect();
    await client.join({ topic: 'news', config: { postgres_changes: [{ table: 'news' }] } });
    clients.push(client);
  }
  for (let round = 1; round <= 3; round += 1) {
    for (const [n, { admin }] of projects.entries()) {
      await admin.query('insert into public.news values ($1)', [`${n} ${round}`]);
      await stages[n]?.db.queryAsEngine('select 1');
    }
  }
  const textsOf = (client: Listener) => JSON.stringify(client.frames('rt:pg').map(({ e }) => e));
  for (const [n, client] of clients.entries()) {
    await waitFor(() => textsOf(client).includes(`"${n} 3"`), { ms: 20_000 });
    // Nothing of another project.
    for (const other of projects.keys())
      expect(textsOf(client).includes(`"${other} 1"`)).toBe(other === n);
  }
  expect(budget.stats().open).toBeLessThanOrEqual(3);
  expect(stages.flatMap(({ errors }) => errors)).toEqual([]);
  for (const stage of stages) await stage.close();
}, 120_000);
