// Long texts, which clients may write parts of: nothing of them stays in a session.
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ProjectDatabase } from '#libs/database';
import { createProject, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let db: ProjectDatabase;
beforeAll(async () => {
  project = await createProject();
  db = project.open();
  await project.admin.query(`grant select on pg_prepared_statements to anon;
    grant execute on function pg_catalog.pg_prepared_statement() to anon`);
});
afterAll(() => project.drop());

const long = (n: number) => `select '${'x'.repeat(20_000)}' || $1 || '${n}'`;
const query = (text: string, ...values: string[]) => ({ text, values });
const asRole = (...queries: { readonly text: string; readonly values: readonly string[] }[]) =>
  db.runAsRole('anon', queries);

/** The lengths of the statements that the session keeps. */
async function keptLengths(): Promise<readonly number[]> {
  const text = 'select length(statement) from pg_prepared_statements';
  const [rows = []] = await asRole(query(text));
  return rows.map(([length]) => Number(length));
}

test('long statements are answered, and not kept', async () => {
  const own = await keptLengths();
  for (let n = 0; n < 5; n++) {
    const [rows] = await asRole(query(long(n), 'y'));
    expect(rows?.[0]?.[0]?.slice(-2)).toBe(`y${n}`);
  }
  expect(Math.max(...(await keptLengths()))).toBeLessThan(20_000);
  expect((await keptLengths()).length).toBe(own.length);
});

test('long statements have their place among others of a batch', async () => {
  const short = query('select $1::text', 'short');
  const results = await asRole(short, query(long(1), 'a'), short, query(long(2), 'b'));
  expect(results.map((rows) => rows[0]?.[0]?.slice(-5))).toEqual([
    'short',
    'xxxa1',
    'short',
    'xxxb2',
  ]);
});

test('an error in a long statement is its own, and the session goes on', async () => {
  const wrong = query(`${long(1)} || 1 / 0`, 'a');
  await expect(asRole(wrong)).rejects.toMatchObject({ cause: { code: '22012', query: 0 } });
  const misspelled = query(`selekt '${'x'.repeat(20_000)}'`);
  await expect(asRole(misspelled)).rejects.toMatchObject({ cause: { code: '42601', query: 0 } });
  expect(await asRole(query('select 1'))).toEqual([[['1']]]);
});

test('statements that the server has lost are prepared again beside a long one', async () => {
  const short = query('select $1::text', 'again');
  await asRole(short);
  await asRole(query('deallocate all'));
  expect((await asRole(query(long(1), 'a'), short))[1]).toEqual([['again']]);
});
