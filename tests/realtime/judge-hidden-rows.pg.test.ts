// Filters are evaluated on rows that their listeners may see: neither an error nor the time of a hidden row reaches them.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Change } from '#libs/realtime';
import { parseChangeFilter } from '../../libs/realtime-core/src/change-filter.js';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { audience, openStage, type Stage } from './support.js';

vi.setConfig({ testTimeout: 60_000 });

let project: ProjectFixture;
let stage: Stage;
beforeAll(async () => {
  project = await createProject();
  stage = await openStage(project, { filterMs: 300 });
  await project.admin.query(`
    create type public.mood as enum ('calm', 'slow');
    create function public.compares(public.mood, public.mood) returns bool language plpgsql as
      $$ begin perform pg_sleep(2); return true; end $$;
    create operator public.> (leftarg = public.mood, rightarg = public.mood, function = public.compares);
    create collation public.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table public.docs (
      id int, owner text, secret text, seal bytea, list json[], title text collate public.folded, mood public.mood
    );
    grant select on public.docs to authenticated;
    create policy own on public.docs for select using (owner = auth.uid())`);
});
afterAll(() => project.drop());

const docs = (values: string) =>
  stage.changes(
    'public.docs',
    `insert into public.docs (id, owner, secret, seal, list, title, mood) values ${values}`,
  );

/** The filters as each of the callers asks with each of them. */
async function ask(
  changes: readonly Change[],
  filters: readonly string[],
  callers: readonly string[],
) {
  const verdict = await stage.visibility.decide({
    table: changes[0]?.table ?? 0,
    role: 'authenticated',
    changes,
    audiences: callers.map((caller) => audience(caller)),
    filters: filters.map((filter) => parseChangeFilter(filter, 'filter')),
    listeners: filters.map(() => callers.map((_, index) => index)),
  });
  const errors = filters.map((_, filter) =>
    callers.map((_, caller) => verdict.listenerErrors.get(filter)?.get(caller)?.code),
  );
  return { errors, matches: verdict.filterMatches };
}

test.each([
  { name: 'a pattern', filter: String.raw`and=(secret.like.a*,seal.like.\x5c)`, code: '22025' },
  { name: 'a comparison of lists', filter: 'and=(secret.like.a*,list.eq.{1})', code: '42883' },
  { name: 'a collation', filter: 'and=(secret.like.a*,title.ilike.x)', code: '0A000' },
  { name: 'the time of a comparison', filter: 'and=(secret.like.a*,mood.gt.calm)', code: '57014' },
])('$name of a hidden row ends no channel', async ({ filter, code }) => {
  const changes = await docs(`
    (1, 'u1', 'beta', '\\x61', array['2']::json[], 'y', 'calm'),
    (2, 'u2', 'alpha', '\\x61', array['1']::json[], 'x', 'slow')`);
  expect(await ask(changes, [filter], ['u1'])).toEqual({ errors: [[undefined]], matches: ['00'] });
  const asked = await ask(changes, [filter, 'id=gt.0'], ['u1', 'u2', 'u3']);
  expect(asked).toEqual({
    errors: [
      [undefined, code, undefined],
      [undefined, undefined, undefined],
    ],
    matches: ['00', '11'],
  });
});

test('filters match the visible rows, together and by themselves', async () => {
  const changes = await stage.changes(
    'public.docs',
    `insert into public.docs (id, owner) select i, 'u' || i % 3 from generate_series(1, 601) i`,
  );
  const equal = Array.from({ length: 10 }, (_, n) => `id=eq.${n + 1}`);
  const { matches, errors } = await ask(changes, [...equal, 'id=gt.590', 'id=not.eq.4'], ['u1']);
  const bits = (of: (id: number) => boolean) =>
    Array.from({ length: 601 }, (_, n) => (of(n + 1) && (n + 1) % 3 === 1 ? '1' : '0')).join('');
  expect(errors.flat()).toEqual([...equal, 1, 2].map(() => undefined));
  expect(matches).toEqual([
    ...equal.map((_, n) => bits((id) => id === n + 1)),
    bits((id) => id > 590),
    bits((id) => id !== 4),
  ]);
});

test('a deleted row, and the row after an update, are what filters are about', async () => {
  await docs(`(700, 'u1', 'a', null, null, null, null), (701, 'u2', 'a', null, null, null, null)`);
  const changes = await stage.changes(
    'public.docs',
    `update public.docs set owner = 'u2', secret = 'b' where id = 700;
     delete from public.docs where id = 701`,
  );
  expect((await ask(changes, ['secret=eq.b', 'secret=eq.a'], ['u1'])).matches).toEqual([
    '00',
    '00',
  ]);
  expect((await ask(changes, ['secret=eq.b', 'secret=eq.a'], ['u2'])).matches).toEqual([
    '10',
    '01',
  ]);
});
