// A condition of a query is not run on rows of the catalogs that project A does not see: it could tell of them in a
// notice or an error. Relations and columns are read from the server, so that a new one joins by itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { rolesOf } from './catalog-probe.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: pg.Client;
/** Of the other project: its database and logins. */
let names: readonly string[];
const noticed: string[] = [];

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const neighbor = await deployment.createProject();
  const database = new URL(neighbor.databaseUrl).pathname.slice(1);
  names = [database, ...(await rolesOf(database)).map(({ name }) => name)];
  client = new pg.Client({ connectionString: project.databaseUrl });
  client.on('notice', ({ message }) => noticed.push(message ?? ''));
  await client.connect();
  // PostgreSQL runs the cheapest condition first. Notices of other values would be most of the test's time. The first
  // letter of each name stands in brackets, so that the function's own text in pg_proc holds no name.
  const known = [...names, new URL(project.databaseUrl).pathname.slice(1)]
    .map((name) => `[${name.slice(0, 1)}]${name.slice(1)}`)
    .join('|');
  await client.query(`
    create function tells(value text) returns boolean language plpgsql cost 0.00000001 as
      $$ begin if value ~ '${known}' then raise notice '%', value; end if; return true; end $$`);
}, 60_000);

afterAll(async () => {
  await client.end();
  await deployment.close();
});

/** Sends a statement; errors of the server do not matter, others do. */
async function send(statement: string): Promise<string> {
  try {
    await client.query(statement);
    return '';
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.message;
    throw error;
  }
}

const tellsOfNeighbor = (text: string): boolean => names.some((name) => text.includes(name));

interface Relation {
  readonly relation: string;
  readonly columns: readonly string[];
}

interface Condition {
  readonly name: string;
  /** The statements that run the condition on each column. */
  readonly write: (relation: Relation) => readonly string[];
}

const onEach =
  (condition: (column: string) => string) =>
  ({ relation, columns }: Relation): readonly string[] =>
    columns.map((column) => `select from ${relation} where ${condition(column)}`);

// Functions, casts that fail with the value in their message, and an operator that the planner may move.
const conditions: readonly Condition[] = [
  { name: 'a function', write: onEach((column) => `tells(${column}::text)`) },
  { name: 'a cast', write: onEach((column) => `(${column}::text || 'x')::int = 1`) },
  {
    name: 'a cast of names that LIKE finds',
    write: onEach(
      (column) =>
        `(${column}::text || 'x')::int = 1 and ${column}::text like '%${names[0]?.slice(2) ?? ''}%'`,
    ),
  },
];

async function listRelations(): Promise<readonly Relation[]> {
  const { rows } = await client.query<Relation>(
    `select format('%I.%I', nspname, relname) as relation,
       array_agg(quote_ident(attname) order by attnum) as columns
     from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
     where nspname in ('pg_catalog', 'information_schema') and relkind in ('r', 'v') and attnum > 0
       and not attisdropped and has_column_privilege(c.oid, attnum, 'select')
     group by 1`,
  );
  return rows;
}

test.each(conditions)(
  '$name in a condition tells nothing of a neighbor',
  async ({ name, write }) => {
    const relations = await listRelations();
    expect(relations.flatMap(({ columns }) => columns).length).toBeGreaterThan(1_500);
    const told = new Set<string>();
    const failed = new Set<string>();
    for (const each of relations) {
      for (const statement of write(each)) {
        noticed.length = 0;
        const error = await send(statement);
        if (error !== '') failed.add(each.relation);
        if (tellsOfNeighbor(`${noticed.join(' ')} ${error}`)) told.add(statement);
      }
    }
    expect([...told]).toEqual([]);
    // A statement that fails has not run its condition on all columns.
    if (name === 'a function') expect([...failed]).toEqual([]);
  },
  600_000,
);

test.each(['pg_database where (datname', 'pg_roles where (rolname', 'pg_user where (usename'])(
  'an error within select from %s tells nothing of a neighbor',
  async (start) => {
    const error = await send(`select from ${start} || 'x')::int = 1`);
    expect(error).toContain('invalid input syntax for type integer');
    expect(tellsOfNeighbor(error)).toBe(false);
    const column = start.split('(')[1] ?? '';
    const hidden = await send(
      `select from ${start} || 'x')::int = 1 and ${column} = '${names[0] ?? ''}'`,
    );
    expect(hidden.replaceAll(names[0] ?? '', '')).toBe(hidden);
  },
);

test('the neighbor is there, and these conditions do find what A may see', async () => {
  expect(names.length).toBeGreaterThan(5);
  noticed.length = 0;
  await send('select from pg_database where tells(datname)');
  expect(noticed).toEqual([new URL(project.databaseUrl).pathname.slice(1)]);
});
