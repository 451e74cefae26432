// Filters of many clients are evaluated together, with the answers that each would have alone; what one client writes
// into its filter ends no other one's.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Change } from '#libs/realtime';
import { parseChangeFilter } from '../../libs/realtime-core/src/change-filter.js';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { openStage, type Stage } from './support.js';

vi.setConfig({ testTimeout: 60_000 });

let project: ProjectFixture;
let stage: Stage;
let changes: readonly Change[];
beforeAll(async () => {
  project = await createProject();
  stage = await openStage(project, { filterMs: 300 });
  await project.admin.query(`
    create type public.mood as enum ('calm', 'slow');
    create function public.is_slowly(public.mood, public.mood) returns bool language plpgsql as
      $$ begin perform pg_sleep(2); return true; end $$;
    create operator public.= (leftarg = public.mood, rightarg = public.mood, function = public.is_slowly);
    create collation public.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table public.things (
      id int, name text, code char(3), label varchar(4), rate numeric(6, 2), key uuid, day date,
      title text collate public.folded, mood public.mood
    );
    alter table public.things enable row level security;
    grant select on public.things to authenticated`);
  changes = await stage.changes(
    'public.things',
    `insert into public.things
       select i, 'n' || i % 7, 'c' || i % 5, 'l' || i % 3, i / 4.0, md5((i % 9)::text)::uuid,
         date '2026-01-01' + i, case when i % 2 = 0 then 'Title' else 'other' end
       from generate_series(1, 40) i;
     update public.things set name = null where id = 3;
     delete from public.things where id = 4`,
  );
});
afterAll(() => project.drop());

const ask = (filters: readonly string[], of = changes) =>
  stage.visibility.decide({
    table: of[0]?.table ?? 0,
    role: 'authenticated',
    changes: of,
    audiences: [],
    filters: filters.map((filter) => parseChangeFilter(filter, 'filter')),
  });
const matchesOf = async (filter: string) => (await ask([filter])).filterMatches[0];

describe('filters that are evaluated together', () => {
  const equal = [
    ...Array.from({ length: 12 }, (_, n) => `id=eq.${n}`),
    ...Array.from({ length: 9 }, (_, n) => `name=eq.n${n}`),
    ...Array.from({ length: 9 }, (_, n) => `code=eq.c${n}`),
    ...Array.from({ length: 9 }, (_, n) => `label=eq.l${n}`),
    ...Array.from({ length: 9 }, (_, n) => `rate=eq.${n / 4}`),
    ...Array.from({ length: 9 }, (_, n) => `day=eq.2026-01-0${n + 1}`),
    ...Array.from({ length: 9 }, (_, n) => `title=eq.${n % 2 === 0 ? 'TITLE' : 'Other'}`),
    ...Array.from({ length: 9 }, (_, n) => `key=eq.0000000${n}-0000-4000-8000-000000000000`),
  ];
  const others = [
    'id=gt.7',
    'name=is.null',
    'name=not.eq.n1',
    'or=(id.eq.3,name.like.n*)',
    'id=in.(1,2)',
  ];
  const all = [...equal, ...others, ...Array.from({ length: 60 }, (_, n) => `rate=lt.${n}`)];

  test('have the answers of each alone', async () => {
    const { filterMatches, filterErrors } = await ask(all);
    expect([...filterErrors]).toEqual([]);
    const alone: unknown[] = [];
    for (const filter of all) alone.push(await matchesOf(filter));
    expect(filterMatches).toEqual(alone);
    expect(filterMatches[1]).toMatch(/^10+$/);
  });

  test('say which of them cannot be evaluated, and nothing of the others', async () => {
    const wrong = [...equal, 'rate=eq.much', 'id=eq.x', 'name=like.n*'];
    const { filterErrors, filterMatches } = await ask(wrong);
    expect([...filterErrors.keys()]).toEqual([equal.length, equal.length + 1]);
    expect(filterMatches[0]).toBe(await matchesOf('id=eq.0'));
    expect(filterMatches[wrong.length - 1]).toBe(await matchesOf('name=like.n*'));
  });

  test('go on without one that takes too long', async () => {
    const { filterErrors, filterMatches } = await ask(
      ['id=eq.1', 'mood=eq.slow', 'id=gt.39'],
      await moods(),
    );
    expect([...filterErrors]).toEqual([[1, expect.objectContaining({ code: '57014' })]]);
    expect([filterMatches[0], filterMatches[2]]).toEqual(['0', '1']);
  });

  test('take nothing from the answers of policies', async () => {
    await project.admin.query('create policy everybody on public.things using (true)');
    const [one] = await moods();
    const { errors, newVisible } = await stage.visibility.decide({
      table: one?.table ?? 0,
      role: 'authenticated',
      changes: one ? [one] : [],
      audiences: [{ subject: '', claims: '{}' }],
      filters: [parseChangeFilter('mood=eq.slow', 'filter')],
    });
    expect([...errors]).toEqual([]);
    expect(newVisible).toEqual(['1']);
  });
});

const moods = () =>
  stage.changes('public.things', `insert into public.things (id, mood) values (50, 'slow')`);
