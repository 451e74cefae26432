// Functions and types in the SQL of the platform are named with their schema: the owner of a project can make
// functions and types of the same names, and a search path may lead to them first. So are operators in statements that
// run in sessions of callers; tests/isolation/hostile-platform.long.test.ts reads each of those that a route sends. All
// other statements run in sessions that hold no object of the project, which the same test shows. What migrations leave
// in the database is read by tests/migrations-are-qualified.test.ts.
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { unqualifiedNames } from './support/sql-texts.js';

/** Everything that is run by the product, and by people who look after it. The benchmark has databases of its own. */
const files = ['apps', 'bin', 'docker', 'libs', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:[cm]?[jt]s|tsx)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => !name.includes('node_modules') && !name.includes('/tests/'))
    .map((name) => `${folder}/${name}`),
);
/**
 * Files whose words look like those of SQL: a script for browsers, texts and examples of documents, policies and defaults
 * of owners, patterns of policies as PostgreSQL writes them, styles, and addresses with `::`.
 */
const noSql: readonly string[] = [
  'apps/api/src/docs/examples.ts',
  'apps/api/src/health/metrics-access.ts',
  'apps/console/server/src/operators/invitation-page.ts',
  'apps/console/web/src/screens/policies/sentence.ts',
  'apps/console/web/src/screens/policies/templates.ts',
  'apps/console/web/src/screens/realtime/log-list.tsx',
  'apps/console/web/src/screens/structure/column-editor.tsx',
  'apps/console/web/src/screens/tables/filters.ts',
  'apps/console/web/src/ui/code-editor.tsx',
  'libs/realtime/src/visibility/conditions.ts',
  'libs/rest-docs/src/parameters.ts',
];
const found = (file: string): readonly string[] =>
  unqualifiedNames(readFileSync(file, 'utf8'), file).map(
    ({ kind, name, line }) => `${file}:${line} ${kind} ${name}`,
  );

test('every function and type in the SQL of the source tree is named with its schema', () => {
  expect(files.length).toBeGreaterThan(300);
  for (const ending of ['.ts', '.tsx', '.js', '.mjs']) {
    expect(files.filter((file) => file.endsWith(ending))).not.toEqual([]);
  }
  expect(files.filter((file) => !noSql.includes(file)).flatMap(found)).toEqual([]);
});

describe('what is found', () => {
  test.each([
    { text: 'select now()', names: ['now'] },
    { text: 'select pg_catalog.now()', names: [] },
    { text: 'select auth.delete_user($1)', names: [] },
    { text: 'update x set y = $1::jsonb', names: ['jsonb'] },
    { text: 'update x set y = $1::pg_catalog.jsonb', names: [] },
    { text: 'select a::text[]', names: ['text'] },
    { text: 'select cast(a as json)', names: ['json'] },
    { text: 'select cast(cast(a as pg_catalog.text) as json)', names: ['json'] },
    { text: 'select cast(lower(a) as pg_catalog.json) as json', names: ['lower'] },
    { text: "select json 'true', pg_catalog.json 'true'", names: ['json'] },
    { text: "select 'now()' from x where lower(a) in (1)", names: ['lower'] },
    { text: 'select coalesce(nullif(a, b), c) from x where exists (select from y)', names: [] },
    { text: 'insert into auth.member (id) values ($1)', names: [] },
    { text: '"expiresAt" < now()', names: ['now'] },
    { text: 'The function now(), in prose', names: ['now'] },
    { text: 'call(this) of yours', names: [] },
  ])('$text: $names', ({ text, names }) => {
    const source = `const statement = \`${text}\`;`;
    expect(unqualifiedNames(source).map(({ name }) => name)).toEqual(names);
  });

  test('in a template, with what is put into it left out', () => {
    const source = 'const s = `select ${columns(x)}, lower(a)\n from x where ${now()} < b::int`;';
    expect(unqualifiedNames(source)).toMatchObject([
      { name: 'lower', kind: 'function', line: 1 },
      { name: 'int', kind: 'type', line: 2 },
    ]);
  });
});
