import { expect, test } from 'vitest';

import { column, foreignKey, table } from '../project/sample-tables.js';
import { schemaScript } from './schema-sql.js';

const none = { project: 'Shop', enums: [], details: new Map() };

test('columns have their types, identities, expressions and defaults', () => {
  const columns = [
    column('id', { type: 'bigint', identity: 'always', isNullable: false }),
    column('Order', { type: 'integer', isNullable: false, default: '7' }),
    column('twice', { type: 'integer', isGenerated: true, default: '("Order" * 2)' }),
  ];
  const script = schemaScript({ ...none, tables: [table('things', { columns })] });
  expect(script).toContain(`create table public.things (
  id bigint generated always as identity,
  "Order" integer default 7 not null,
  twice integer generated always as (("Order" * 2)) stored,
  primary key (id)
);
alter table public.things enable row level security;`);
});

test('foreign keys come last; one to a table that is left out is a comment', () => {
  const tables = [
    table('a', { foreignKeys: [foreignKey('id', 'b', { onDelete: 'cascade' })] }),
    table('b', { foreignKeys: [foreignKey('id', 'gone\ndrop table b')] }),
  ];
  const script = schemaScript({ ...none, tables });
  const [, last = ''] = script.split('create table public.b');
  expect(last).toContain(
    'alter table public.a add constraint id_fkey foreign key (id) references public.b (id) on delete cascade;',
  );
  expect(last).toMatch(
    /^-- The foreign key id_fkey of public\.b is left out: .*"gone drop table b"\.$/m,
  );
});

test('enums that columns have and sequences of defaults are made first', () => {
  const mood = { schema: 'public', name: 'Mood', values: [`it's`], comment: null };
  const columns = [
    column('feels', { type: 'public."Mood"[]', baseType: 'public."Mood"[]' }),
    column('n', { type: 'integer', default: `nextval('public."a''s_seq"'::regclass)` }),
  ];
  const script = schemaScript({
    ...none,
    enums: [mood, { ...mood, name: 'unused' }],
    tables: [table('t', { columns, primaryKey: [] })],
  });
  const before = script.slice(0, script.indexOf('create table'));
  expect(before).toContain(`create type public."Mood" as enum ('it''s');`);
  expect(before).toContain(`create sequence if not exists public."a's_seq";`);
  expect(before).not.toContain('unused');
});

test('views are named and left out, and what could not be read is said', () => {
  const script = schemaScript({ ...none, tables: [table('v', { kind: 'view' }), table('t')] });
  expect(script).toContain('-- public.v is a view and is left out.');
  expect(script).toContain('could not be read');
});
