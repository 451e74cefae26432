// Many rows by many callers: asked in calls of a bounded size, with the answers of one.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { fail } from '#libs/errors';
import { type Change, type Query, type RealtimeDatabase, Visibility } from '#libs/realtime';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { audience, openStage, type Stage } from './support.js';

vi.setConfig({ testTimeout: 60_000 });

let project: ProjectFixture;
let stage: Stage;
beforeAll(async () => {
  project = await createProject();
  stage = await openStage(project);
  await project.admin.query(`
    create table public.docs (id int primary key, owner text, secret text);
    grant select (id, owner) on public.docs to authenticated;
    create policy signed_in on public.docs for select to authenticated using (
      id % 2 = 0 or (id > 0 and auth.uid() is not null));`);
});
afterAll(() => project.drop());

interface Call {
  readonly rows: number;
  readonly callers: number;
  readonly characters: number;
}

/** The database of the stage, with a note of each call, and a limit of callers for which it has an answer. */
function noting(calls: Call[], maxCallers = Infinity): Pick<RealtimeDatabase, 'runAsRole'> {
  const db = project.open();
  return {
    async runAsRole(role, queries: readonly Query[], limits) {
      const [rows = '[]', subjects = '{}'] = queries[1]?.values ?? [];
      const callers = subjects === '{}' ? 0 : (subjects ?? '').split(',').length;
      if (callers > maxCallers) throw fail('RESULT_TOO_LARGE', { maxBytes: 1 });
      const results = await db.runAsRole(role, queries, limits);
      const characters = results[3]?.[0]?.[0]?.length ?? 0;
      if (callers > 0) {
        const list = JSON.parse(rows ?? '[]') as readonly unknown[];
        calls.push({ rows: list.length, callers, characters });
      }
      return results;
    },
  };
}

const callersOf = (count: number) => Array.from({ length: count }, (_, n) => audience(`u${n}`));
const ask = (visibility: Visibility, changes: readonly Change[], callers: number) =>
  visibility.decide({
    table: changes[0]?.table ?? 0,
    role: 'authenticated',
    changes,
    audiences: callersOf(callers),
    filters: [],
  });

test('rows by callers of a call are bounded, and the answers are those of all', async () => {
  const changes = await stage.changes(
    'public.docs',
    `insert into public.docs select i, 'o', 's' from generate_series(-1200, 99) i`,
  );
  const calls: Call[] = [];
  const { newVisible, newTexts, errors } = await ask(new Visibility(noting(calls)), changes, 1_500);
  expect(errors.size).toBe(0);
  const expected = changes.map(({ newText }) => {
    const { id } = JSON.parse(newText ?? '') as { readonly id: number };
    return id > 0 || id % 2 === 0 ? '1' : '0';
  });
  expect(new Set(newVisible)).toEqual(new Set([expected.join('')]));
  expect(newTexts.map((text) => Object.keys(JSON.parse(text ?? '') as object))).toEqual(
    changes.map(() => ['id', 'owner']),
  );
  expect(Math.max(...calls.map(({ rows }) => rows))).toBeLessThanOrEqual(500);
  expect(Math.max(...calls.map(({ rows, callers }) => rows * callers))).toBeLessThanOrEqual(
    200_000,
  );
  expect(Math.max(...calls.map(({ characters }) => characters))).toBeLessThan(4_000_000);
});

test('a call whose answer is too large is cut, and not repeated as it is', async () => {
  const changes = await stage.changes('public.docs', `insert into public.docs values (5001, 'o')`);
  const calls: Call[] = [];
  const { newVisible, errors } = await ask(new Visibility(noting(calls, 10)), changes, 35);
  expect(errors.size).toBe(0);
  expect(newVisible).toEqual(callersOf(35).map(() => '1'));
  expect(calls.map(({ callers }) => callers)).toEqual([9, 9, 9, 8]);
});

test('a caller whose answer alone is too large is refused', async () => {
  const changes = await stage.changes('public.docs', `insert into public.docs values (5003, 'o')`);
  const { errors } = await ask(new Visibility(noting([], 0)), changes, 2);
  expect([...errors.values()].map(({ code }) => code)).toEqual(['54000', '54000']);
});

test('an error on some of the rows hides all of them from its caller', async () => {
  await project.admin.query(`
    create table public.risky (id int primary key);
    grant select on public.risky to authenticated;
    create policy risky on public.risky for select to authenticated using (
      case when auth.jwt() ->> 'sub' = 'u1' then 1 / (id - 700) is not null else true end);`);
  const changes = await stage.changes(
    'public.risky',
    `insert into public.risky select generate_series(1, 900)`,
  );
  const { newVisible, errors } = await ask(stage.visibility, changes, 3);
  expect([...errors].map(([index, { code }]) => [index, code])).toEqual([[1, '22012']]);
  const all = '1'.repeat(900);
  expect(newVisible).toEqual([all, '0'.repeat(900), all]);
});
