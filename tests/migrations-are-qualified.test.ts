// What migrations leave in the database of a project and PostgreSQL reads again later: bodies of functions that are kept
// as texts. They run in sessions of callers, whose search path may lead to functions, types and operators of the project
// first. So each of them fixes its search path, or names everything with its schema. All else in migrations runs once,
// with `search_path = pg_catalog, pg_temp` (libs/control-plane/src/provisioning/database-server.ts), and PostgreSQL keeps
// what it has found: bodies after `return`, views, defaults, policies. tests/console/hostile-owner.long.test.ts shows that
// nothing of a project is called meanwhile.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type StoredFunction, storedFunctions } from './support/sql-functions.js';
import { foundByPath } from './support/sql-operators.js';

const folders = ['migrations/project', 'migrations/project-superuser'];
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => join(folder, name)),
);
/** The newest definition of each. */
const functions = new Map(
  files.flatMap((file) =>
    storedFunctions(readFileSync(file, 'utf8')).map((each) => [each.name, { ...each, file }]),
  ),
);

/** Functions whose search path the source tree changes after the migrations. */
const reopened = new Set(
  readdirSync('libs', { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[\w-]+\/src\/.*(?<!\.test)\.ts$/.test(name))
    .flatMap((name) => [
      ...readFileSync(join('libs', name), 'utf8').matchAll(
        /alter function ([\w.]+)[^\n;]* set search_path/g,
      ),
    ])
    .map(([, name = '']) => name),
);

/**
 * A user id is compared with one of the same type, for which pg_catalog has an operator. It comes first in the path of the
 * function, whose triggers need the rest.
 */
const exact: Readonly<Record<string, readonly string[]>> = { 'auth.delete_user': ['='] };

/** Superusers alone call these, in sessions whose search path is fixed. */
const ofSuperuser = /^pg_catalog\.rowhouse_/;

/** The first word tells the reader of statements that it is no prose. */
const namesIn = (body: string): readonly string[] => foundByPath(`select ${body}`);

const isOpen = ({ name, hasFixedPath }: StoredFunction): boolean =>
  (!hasFixedPath || reopened.has(name)) && !ofSuperuser.test(name);

test('functions with the search path of the caller name everything with its schema', () => {
  const open = [...functions.values()].filter(isOpen);
  expect(functions.size).toBeGreaterThan(40);
  expect(open.length).toBeGreaterThan(5);
  const found = open.flatMap(({ name, file, body }) =>
    namesIn(body)
      .filter((each) => exact[name]?.includes(each) !== true)
      .map((each) => `${file} ${name}: ${each}`),
  );
  expect(found).toEqual([]);
});

test('the tools of the superuser are for nobody else', () => {
  const tools = [...functions.values()].filter(
    (each) => ofSuperuser.test(each.name) && !each.hasFixedPath,
  );
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  for (const { name } of tools) {
    expect(text).toMatch(
      new RegExp(`revoke (?:all|execute) on (?:function|procedure|routine)[^;]*${name}`),
    );
  }
});

describe('what is found', () => {
  const made = (options: string, body: string) =>
    storedFunctions(
      `create or replace function a.b(c pg_catalog.int4) returns pg_catalog.int4
  language plpgsql ${options}
as $$
${body}
$$;`,
    );

  test.each([
    { body: 'begin return lower(a.b); end', names: ['lower'] },
    { body: 'declare x text; begin return pg_catalog.lower(x); end', names: ['text'] },
    { body: 'declare x constant a.text[] := y; begin return x; end', names: [] },
    { body: 'begin return x::int4; end', names: ['int4'] },
    { body: 'begin update a.b c set d = 1, e = f where c.g = 2; end', names: ['='] },
    { body: 'begin if x = 1 then return 1; end if; end', names: ['='] },
    { body: 'begin x := y operator(pg_catalog.+) 1; -- lower(x) = 1\n end', names: [] },
  ])('$body: $names', ({ body, names }) => {
    expect(made('stable', body).map((each) => namesIn(each.body))).toEqual([names]);
  });

  test('a path that is fixed, and one with other schemas', () => {
    const fixed = made('set search_path = pg_catalog, pg_temp', 'begin return 1; end');
    expect(fixed).toMatchObject([{ name: 'a.b', hasFixedPath: true }]);
    const other = made('set search_path = public, pg_temp', 'begin return 1; end');
    expect(other).toMatchObject([{ name: 'a.b', hasFixedPath: false }]);
  });

  test('a body that PostgreSQL reads when the function is made is not kept as a text', () => {
    const text = 'create function a.b() returns pg_catalog.int4 language sql return lower(x);\n';
    expect(storedFunctions(text)).toEqual([]);
  });
});
