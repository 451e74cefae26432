// What the schema routes show of long texts, and the most bytes of their answers.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

type Fields = Record<string, unknown>;
const path = '/api/admin/schema';
let deployment: Deployment;
let project: ProjectUnderTest;

const read = (query: string) => project.asService({ path: `${path}${query}` });
const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(asRecord) : [];

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  // A control character has six bytes in JSON.
  await project.sql(`
    create function touch() returns trigger language plpgsql as 'begin return new; end';
    create table long_texts (note text);
    create table short_texts (note text);
    create type mood as enum ('calm');
    create function add(a int) returns int language sql as 'select a';
    do $$ begin
      execute format('comment on table long_texts is %L', repeat('é', 8193));
      execute format('comment on column long_texts.note is %L', repeat('é', 8193));
      execute format('comment on type mood is %L', repeat('é', 8193));
      execute format('comment on function add is %L', repeat('é', 8193));
      execute format('comment on table short_texts is %L', repeat('é', 8192));
      execute format('alter table long_texts alter note set default %L', repeat('x', 70000));
      execute format('alter table long_texts add constraint long_check check (note <> %L)', repeat('x', 70000));
      execute format('create index long_index on long_texts (note) where note <> %L', repeat('x', 70000));
      execute format('create policy long_policy on long_texts using (note <> %L) with check (note <> %1$L)',
        repeat('x', 70000));
      execute format('comment on policy long_policy on long_texts is %L', repeat('é', 8193));
      execute format('create trigger long_trigger before insert on long_texts for each row execute function touch(%L)',
        repeat('x', 70000));
    end $$;
    create schema heavy;
    do $$ begin
      execute 'create table heavy.notes (' || (
        select string_agg(format('c%s text default %L', n, repeat(chr(1), 70000)), ', ')
          from generate_series(1, 45) n) || ')';
      for n in 1..45 loop
        execute format('create trigger t%s before insert on heavy.notes for each row execute function touch(%L)',
          n, repeat(chr(1), 70000));
      end loop;
      execute format('create function heavy.long() returns text language sql as %L',
        'select ''' || repeat(chr(1), 3000000) || '''');
    end $$;`);
}, 60_000);
afterAll(() => deployment.close());

test('comments and defaults of the list that are long are cut and say so', async () => {
  const { tables, enums, functions } = asRecord((await read('')).body);
  const named = (of: unknown, name: string) => listOf(of).find((one) => one['name'] === name);
  const cut = `${'é'.repeat(8192)}…`;
  const [column = {}] = listOf(named(tables, 'long_texts')?.['columns']);
  expect(named(tables, 'long_texts')?.['comment']).toBe(cut);
  expect(column['comment']).toBe(cut);
  expect(named(enums, 'mood')?.['comment']).toBe(cut);
  expect(named(functions, 'add')?.['comment']).toBe(cut);
  expect(named(tables, 'short_texts')?.['comment']).toBe('é'.repeat(8192));
  expect(column['default']).toBe(`'${'x'.repeat(65_535)}…`);
});

test('definitions and expressions of a table that are long are cut and say so', async () => {
  const details = asRecord((await read('/tables/long_texts')).body);
  const texts = ['indexes', 'checks', 'triggers']
    .flatMap((list) => listOf(details[list]))
    .map((one) => String(one['definition']));
  const [policy = {}] = listOf(details['policies']);
  const all = [...texts, String(policy['using']), String(policy['check'])];
  expect(all.map((text) => [text.length, text.endsWith('x…')])).toEqual(
    Array.from({ length: 5 }, () => [65_537, true]),
  );
  expect(policy['comment']).toBe(`${'é'.repeat(8192)}…`);
});

test.each([
  { name: 'a schema', query: () => '?schema=heavy' },
  { name: 'a table', query: () => '/tables/notes?schema=heavy' },
  {
    name: 'a function',
    query: async () => {
      const [found] = await project.sql(`select 'heavy.long'::regproc::oid::text as id`);
      return `/functions/${String(asRecord(found)['id'])}`;
    },
  },
])('the answer on $name of more than 16 MB is refused', async ({ query }) => {
  const reply = await read(await query());
  expect([reply.status, reply.body]).toMatchObject([400, { code: 'RESULT_TOO_LARGE' }]);
  expect(reply.text).toContain('16777216');
});
