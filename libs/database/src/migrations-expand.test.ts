// A migration that removes, renames or restricts says so in its first line (migration-kind.ts): releases that do not
// know it fail on its result.
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { requirementOf } from './migration-kind.js';

/** They are older than the rule (decision 45). The list never grows. */
const older: ReadonlySet<string> = new Set([
  'control-plane/0041_database_ids.sql',
  'control-plane/0060_session_token_hashes.sql',
  'project/0022_storage.sql',
  'project/0044_session_token_hashes.sql',
  'project/0049_storage_conditions.sql',
  'project-superuser/0001_tools.sql',
  'project-superuser/0004_own_answers.sql',
  'project-superuser/0013_hidden_tables.sql',
]);

const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g;
/** Parts of a statement that takes something away from releases that do not know it. */
const contractions = [
  /\bdrop\s+(?:table|view|materialized\s+view|column|function|procedure|routine|type|domain|sequence|schema)\b/,
  // The word `column` may be left out.
  /\balter\s+table\b[^;]*?\bdrop\s+(?!constraint\b|default\b|not\b|identity\b|expression\b|column\b)["\w]/,
  /\brename\b/,
  /\bset\s+not\s+null\b/,
  /\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/,
];

/** The parts of a file that contract; code in functions and blocks counts, too. */
function contractionsIn(sql: string): readonly string[] {
  const text = sql.replaceAll(comments, ' ').toLowerCase();
  return contractions.flatMap((part) => part.exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? []);
}

const files = ['control-plane', 'project', 'project-superuser'].flatMap((folder) =>
  readdirSync(`migrations/${folder}`)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => `${folder}/${name}`),
);
const textOf = (file: string): string => readFileSync(`migrations/${file}`, 'utf8');

test('a file without a declaration only adds', () => {
  expect(files.length).toBeGreaterThan(80);
  const found = files
    .filter((file) => !older.has(file) && requirementOf(file, textOf(file)) === undefined)
    .flatMap((file) => contractionsIn(textOf(file)).map((part) => `${file}: ${part}`));
  expect(found).toEqual([]);
});

test('each exception is a file that contracts', () => {
  const needless = [...older].filter((file) => contractionsIn(textOf(file)).length === 0);
  expect(needless).toEqual([]);
});

describe('what contracts', () => {
  test.each([
    'drop table auth.note',
    'drop table if exists auth.note',
    'Drop\n  Function storage.reserve(text)',
    'alter table auth.note drop column body cascade',
    'alter table auth.note add column a text, drop column if exists body',
    'alter table auth.note drop body',
    'alter table auth.note drop "Body"',
    'alter table auth.note rename column body to text',
    'alter table auth.note rename to remark',
    'alter function auth.uid() rename to user_id',
    'alter table auth.note alter column body set not null',
    'alter table auth.note alter body set not null',
    'alter table auth.note alter column body type bytea',
    'alter table auth.note alter column body set data type bytea',
    'do $$ begin alter table auth.note drop column body; end $$',
  ])('%s', (sql) => {
    expect(contractionsIn(sql)).not.toEqual([]);
  });

  test.each([
    'create table auth.note (body text not null)',
    'alter table auth.note add column body text',
    'alter table auth.note alter column body drop not null',
    'alter table auth.note alter column body drop default, alter column body set default 1',
    'alter table auth.note drop constraint if exists note_check, add constraint note_check check (true)',
    'drop index if exists auth.note_body; drop trigger keep on auth.note; drop policy mine on auth.note',
    'alter type auth.kind add value $$new$$',
    '-- drop table auth.note\nselect 1 /* rename */',
  ])('not: %s', (sql) => {
    expect(contractionsIn(sql)).toEqual([]);
  });
});
