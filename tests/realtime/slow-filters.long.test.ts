// Filters that take too long: each ends by itself, and those that are evaluated with it are answered.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { parseChangeFilter } from '../../libs/realtime-core/src/change-filter.js';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { openStage, type Stage } from './support.js';

vi.setConfig({ testTimeout: 60_000 });

let project: ProjectFixture;
let stage: Stage;
beforeAll(async () => {
  project = await createProject();
  stage = await openStage(project, { filterMs: 300, filterBudgetMs: 1_000 });
  const moods = Array.from({ length: 12 }, (_, n) => `'m${n}'`).join(', ');
  await project.admin.query(`
    create type public.mood as enum (${moods});
    create function public.is_slowly(public.mood, public.mood) returns bool language plpgsql as
      $$ begin perform pg_sleep(2); return true; end $$;
    create function public.is_later(public.mood, public.mood) returns bool language plpgsql as
      $$ begin perform pg_sleep(0.01); return true; end $$;
    create operator public.= (leftarg = public.mood, rightarg = public.mood, function = public.is_slowly);
    create operator public.> (leftarg = public.mood, rightarg = public.mood, function = public.is_later);
    create table public.things (id int, name text, mood public.mood);
    grant select on public.things to authenticated`);
});
afterAll(() => project.drop());

const things = (values: string) =>
  stage.changes('public.things', `insert into public.things ${values}`);

async function ask(
  filters: readonly string[],
  changes: Awaited<ReturnType<typeof things>>,
  { visibility } = stage,
) {
  return visibility.decide({
    table: changes[0]?.table ?? 0,
    role: 'authenticated',
    changes,
    audiences: [],
    filters: filters.map((filter) => parseChangeFilter(filter, 'filter')),
  });
}

describe('filters beside slow ones', () => {
  const others = [
    ...Array.from({ length: 60 }, (_, n) => `id=lt.${n}`),
    ...Array.from({ length: 10 }, (_, n) => `id=eq.${n}`),
  ];
  test.each([
    { name: 'one', slow: 1 },
    { name: 'more than have their full time', slow: 12 },
  ])('are answered: $name', async ({ slow }) => {
    const changes = await things(`values (5, 'a', 'm0')`);
    const slowOnes = Array.from({ length: slow }, (_, n) => `mood=eq.m${n}`);
    const all = [...others.slice(0, 30), ...slowOnes, ...others.slice(30)];
    const { filterErrors, filterMatches } = await ask(all, changes);
    expect([...filterErrors.keys()].toSorted((a, b) => a - b)).toEqual(
      slowOnes.map((_, n) => 30 + n),
    );
    expect([...filterErrors.values()].map(({ code }) => code)).toEqual(slowOnes.map(() => '57014'));
    const alone = (await ask(others, changes)).filterMatches;
    expect(filterMatches.filter((_, place) => !filterErrors.has(place))).toEqual(alone);
  });

  test('are answered although all of them together take longer than a call', async () => {
    const changes = await things(`values (1, 'a', 'm0')`);
    const all = Array.from({ length: 90 }, (_, n) => `and=(mood.gt.m${n % 12},id.lt.${n})`);
    // On a busy machine a filter of 10 ms takes several times as long: the budget of the other tests would end.
    const patient = await openStage(project, { filterMs: 300, filterBudgetMs: 60_000 });
    const { filterErrors, filterMatches } = await ask(all, changes, patient);
    expect([...filterErrors]).toEqual([]);
    expect(filterMatches).toEqual(all.map((_, n) => (n > 1 ? '1' : '0')));
  });
});

test('rows of several calls have their answers in order', async () => {
  const changes = await things(`select i, 'n' || i % 3 from generate_series(1, 1201) i`);
  const { filterMatches } = await ask(['id=gt.1000', 'name=eq.n0'], changes);
  expect(filterMatches).toEqual([
    changes.map((_, index) => (index >= 1000 ? '1' : '0')).join(''),
    changes.map((_, index) => ((index + 1) % 3 === 0 ? '1' : '0')).join(''),
  ]);
});

test('patterns and a large row do not hold a call for longer than one of them takes', async () => {
  const changes = await things(`values (1, repeat('a', 900000))`);
  const pattern = `*${'a'.repeat(97)}b*`;
  const like = Array.from({ length: 6 }, (_, n) => `and=(id.gt.${n - 9},name.like.${pattern})`);
  const { filterMatches, filterErrors } = await ask([...like, 'id=eq.1'], changes);
  expect(filterMatches).toEqual([...like.map(() => '0'), '1']);
  for (const { code } of filterErrors.values()) expect(code).toBe('57014');
});

describe('more slow filters than a question has time for', () => {
  const others = [
    ...Array.from({ length: 10 }, (_, n) => `id=eq.${n}`),
    ...Array.from({ length: 10 }, (_, n) => `name=like.n${n}*`),
    'name=ilike.*b',
    'mood=is.null',
  ];
  test.each([
    {
      name: 'by their patterns',
      slow: (n: number) => `and=(id.gt.${-1 - n},name.like.*${'a'.repeat(97)}b*)`,
      row: `(1, repeat('a', 900000), null)`,
    },
    {
      name: 'by an operator of the project',
      slow: (n: number) => `and=(mood.eq.m${n % 12},id.gt.${-1 - n})`,
      row: `(1, 'a', 'm0')`,
    },
  ])('$name end, and hold the others for a short time', async ({ slow, row }) => {
    const changes = await things(`values ${row}`);
    const slowOnes = Array.from({ length: 120 }, (_, n) => slow(n));
    const all = [...slowOnes.slice(0, 60), ...others, ...slowOnes.slice(60)];
    const since = performance.now();
    const { filterErrors, filterMatches } = await ask(all, changes);
    expect(performance.now() - since).toBeLessThan(7_000);
    const isOther = (_: unknown, place: number) => place >= 60 && place < 60 + others.length;
    expect([...filterErrors.keys()].filter((place) => isOther(0, place))).toEqual([]);
    expect(filterErrors.size).toBeGreaterThan(90);
    expect(new Set([...filterErrors.values()].map(({ code }) => code))).toEqual(new Set(['57014']));
    expect(filterMatches.filter(isOther)).toEqual((await ask(others, changes)).filterMatches);
  });
});
