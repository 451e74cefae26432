// docs/schema.md, "Dump and restore": a restore gives no role of requests more than it had. The statements are those of
// pg_dump, which not every machine has; tests/isolation/catalog-tools.long.test.ts runs the programs themselves.
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { Deployment } from '../support/deployment.js';
import { answersOf, dumps, openSchema, rightsIn } from '../support/dumped-schema.js';
import type { ProjectUnderTest } from '../support/project.js';

const page = readFileSync('docs/schema.md', 'utf8');
const [, documented] = /PGOPTIONS='([^']*)' pg_restore/.exec(page) ?? [];

let deployment: Deployment;
let project: ProjectUnderTest;
let copy: ProjectUnderTest;
let before: readonly string[];

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, copy] = [await deployment.createProject(), await deployment.createProject()];
  await project.sql(openSchema);
  before = await rightsIn((sql) => project.sql(sql));
});
afterAll(() => deployment.close());

/** Runs `work` in a session of the owner of the copy with these options of the connection, and keeps nothing. */
async function tried<T>(options: string | undefined, work: (owner: pg.Client) => Promise<T>) {
  const owner = new pg.Client({ connectionString: copy.databaseUrl, options });
  await owner.connect();
  try {
    await owner.query('begin');
    return await work(owner);
  } finally {
    await owner.end();
  }
}

const rightsAfter = (script: string, options?: string) =>
  tried(options, async (owner) => {
    await owner.query(script);
    return rightsIn(async (sql) => (await owner.query(sql)).rows);
  });
const isOpen = (right: string) => right.startsWith('all:');
const isOfRequests = (right: string) => !right.startsWith('owner:');

test('with the option of the page, everybody may do what the dump says', async () => {
  expect(await rightsAfter(dumps.withRights, documented)).toEqual(before);
});

describe('without an option', () => {
  test('a restore gives what the dump grants, and no table is open', async () => {
    const after = await rightsAfter(dumps.withRights);
    expect(after.filter((right) => !before.includes(right))).toEqual([]);
    const lost = before.filter((right) => !after.includes(right));
    // The right of PUBLIC to a function is not in a dump.
    expect(lost.filter((right) => !right.endsWith('execute by_public'))).toEqual(
      before.filter(isOpen),
    );
  });

  test('a restore without rights gives none', async () => {
    expect((await rightsAfter(dumps.withoutRights)).filter(isOfRequests)).toEqual([]);
  });

  test.each([
    { name: 'defaults of the owner for PUBLIC', sql: 'grant all on tables to public' },
    { name: 'defaults for another kind', sql: 'grant update on sequences to anon' },
  ])('$name add nothing', async ({ sql }) => {
    const script = `alter default privileges in schema public ${sql}; ${dumps.withoutRights}`;
    expect((await rightsAfter(script)).filter(isOfRequests)).toEqual([]);
  });
});

test('with the option and without rights, only functions are open, as PostgreSQL makes them', async () => {
  const after = (await rightsAfter(dumps.withoutRights, documented)).filter(isOfRequests);
  expect(after.filter((right) => !/: execute /.test(right))).toEqual([
    'all: rows without policies of board',
  ]);
});

describe.each([
  { name: 'that makes tables by hand', head: '', options: undefined },
  {
    name: 'with one of the settings of a dump',
    head: 'set row_security = off;',
    options: undefined,
  },
  { name: 'that turns the option off', head: '', options: '-c rowhouse.restore=off' },
])('in a session $name', ({ head, options }) => {
  const settings =
    options === undefined ? head : 'set row_security = off; set check_function_bodies = off;';
  test('new objects have the default rights and row level security', async () => {
    const script = `${settings} create table t (); create function f() returns int language sql as 'select 1'`;
    const rights = await rightsAfter(script, options);
    expect(rights.filter(isOfRequests)).toEqual(
      ['anon', 'authenticated', 'service_role'].flatMap((role) => [
        `${role}: delete t`,
        `${role}: execute f`,
      ]),
    );
  });
});

test('an option that is no boolean is refused', async () => {
  const refused = tried('-c rowhouse.restore=maybe', (owner) => owner.query('create table t ()'));
  await expect(refused).rejects.toThrow('invalid input syntax for type boolean: "maybe"');
});

test('requests to the restored tables and functions get the same answers', async () => {
  const owner = new pg.Client({ connectionString: copy.databaseUrl, options: documented });
  await owner.connect();
  await owner.query(dumps.withRights);
  await owner.end();
  const answers = await answersOf(copy);
  expect(answers).toEqual(await answersOf(project));
  // A visitor, a user and the service role.
  expect(answers.filter((answer) => /cost|board|salary/.test(answer))).toEqual([
    '/rest/v1/prices?select=cost: refused with 403',
    '/rest/v1/prices?select=cost: [{"cost":60}]',
    '/rest/v1/prices?select=cost: [{"cost":60}]',
    ...Array.from({ length: 3 }, () => '/rest/v1/board: [{"id":1,"text":"hello"}]'),
    '/rest/v1/rpc/salary: refused with 403',
    '/rest/v1/rpc/salary: 7',
    '/rest/v1/rpc/salary: 7',
  ]);
});
