// How long logs and invocations of functions are kept.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sweepFunctions } from '#libs/project-runtime';

import { type AuthProject, openAuthProject } from '../auth-engine/auth-project.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject();
});
afterAll(() => project.close());

const db = () => ({
  async queryAsEngine<Row extends object>(text: string, values?: readonly unknown[]) {
    return (await project.pool.query<Row>(text, values && [...values])).rows;
  },
});

const insert = (message: string, { age = '0 days', count = 1 } = {}) =>
  project.sql(
    `insert into platform.edge_function_logs (slug, version, level, message, at)
     select 'hello', 1, 'info', '${message}', now() - interval '${age}' from generate_series(1, ${count})`,
  );
const kept = () =>
  project.sql(
    `select message, count(*)::int as count from platform.edge_function_logs group by 1 order by 1`,
  );

test('lines older than the days of the settings go, and others stay', async () => {
  await insert('old', { age: '8 days', count: 1_500 });
  await insert('young', { age: '6 days' });
  await project.sql(
    `insert into platform.edge_function_invocations (slug, version, request_id, method, path, status,
       duration_ms, cpu_ms, memory_kb, is_cold_start, at)
     values ('hello', 1, 'x', 'GET', '/', 200, 1, 1, 1, true, now() - interval '8 days')`,
  );
  expect(await sweepFunctions(db(), 7)).toBe(1_501);
  expect(await kept()).toEqual([{ message: 'young', count: 1 }]);
});

test('the newest 100,000 stay', async () => {
  await insert('before', { count: 2_000 });
  await insert('newest', { count: 100_000 });
  expect(await sweepFunctions(db(), 7)).toBe(2_001);
  expect(await kept()).toEqual([{ message: 'newest', count: 100_000 }]);
});
