import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQueryCompiler } from '#libs/rest-query';
import { FUNCTIONS } from './call-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';
import { compileAtOnce, inputOf, LIMITS, type Request } from './run-request.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase('explain', FUNCTIONS);
});

afterAll(() => database.close());

const PLAN = 'application/vnd.pgrst.plan';
const requests: readonly { readonly name: string; readonly request: Request }[] = [
  {
    name: 'a read with an embed',
    request: { table: 'posts', queryString: 'select=id,comments(id)&id=gt.1&order=id&offset=1' },
  },
  { name: 'an insert', request: { table: 'tags', method: 'POST', body: '{"id":9,"name":"x"}' } },
  {
    name: 'an update',
    request: { table: 'tags', method: 'PATCH', queryString: 'id=eq.1', body: '{"name":"x"}' },
  },
  { name: 'a delete', request: { table: 'tags', method: 'DELETE', queryString: 'id=eq.9' } },
  { name: 'a call', request: { function: 'all_posts', queryString: 'id=eq.1' } },
];

describe.each(requests)('the plan of $name', ({ request }) => {
  test('as text', async () => {
    const headers = { accept: PLAN, prefer: 'count=exact, return=representation' };
    const answer = await database.run({ ...request, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(
      `${PLAN}+text; for="application/json"; charset=utf-8`,
    );
    expect(answer.body).toMatch(/\(cost=\d[^\n]*\)\n/);
    expect(answer.headers).not.toHaveProperty('content-range');
  });

  test('as JSON', async () => {
    const answer = await database.run({ ...request, headers: { accept: `${PLAN}+json` } });
    expect(JSON.parse(answer.body ?? '')).toMatchObject([
      { Plan: { 'Node Type': expect.any(String) } },
    ]);
    expect(answer.headers['content-type']).toContain(`${PLAN}+json`);
  });

  test('is for administrators', () => {
    const input = inputOf({ ...request, headers: { accept: PLAN } });
    const { shape } = compileAtOnce(
      createQueryCompiler({ maxShapes: 1 }),
      database.catalog,
      LIMITS,
      input,
    );
    expect(shape.adminRefusal).toBe('EXPLAIN_REFUSED');
  });
});

test('options of EXPLAIN, and the format that is explained', async () => {
  const accept = `${PLAN}+text; for="text/csv"; options=analyze|buffers`;
  const answer = await database.run({ table: 'tags', headers: { accept } });
  expect(answer.body).toContain('actual');
  expect(answer.body).toContain('Execution Time');
  expect(answer.headers['content-type']).toBe(
    `${PLAN}+text; for="text/csv"; options=analyze|buffers; charset=utf-8`,
  );
});

test('a write that is analyzed leaves no trace', async () => {
  const accept = `${PLAN}; options=analyze`;
  await database.run({ table: 'tags', method: 'POST', headers: { accept }, body: '{"id":77}' });
  expect(await database.rowsOf('select 1 from tags where id = 77')).toEqual([]);
});

test('an option that does not go with the others is refused by PostgreSQL', async () => {
  const accept = `${PLAN}; options=wal`;
  const request = database.run({ table: 'tags', headers: { accept } });
  await expect(request).rejects.toMatchObject({ code: '22023' });
});
