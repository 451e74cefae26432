// A condition of a query is not run on rows of the catalogs that project A does not see: it could tell of them in a
// notice or an error. Relations and columns are read from the server, so that a new one joins by itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { House } from '../support/house.js';
import type { ProjectUnderTest } from '../support/project.js';
import { rolesOf } from './catalog-probe.js';

let house: House;
let project: ProjectUnderTest;
let client: pg.Client;
/** Of the other project: its database and logins. */
let names: readonly string[];
const noticed: string[] = [];

beforeAll(async () => {
  house = await House.shared();
  project = await house.createProject();
  const neighbour = await house.createProject();
  const database = new URL(neighbour.databaseUrl).pathname.slice(1);
  names = [database, ...(await rolesOf(database)).map(({ name }) => name)];
  client = new pg.Client({ connectionString: project.databaseUrl });
  client.on('notice', ({ message }) => noticed.push(message ?? ''));
  await client.connect();
  // PostgreSQL runs the cheapest condition first.
  await client.query(`
    create function tells(value text) returns boolean language plpgsql cost 0.00000001 as
      $$ begin raise notice '%', value; return true; end $$`);
}, 60_000);

afterAll(async () => {
  await client.end();
  await house.close();
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

const tellsOfNeighbour = (text: string): boolean => names.some((name) => text.includes(name));

// Functions, casts that fail with the value in their message, and an operator that the planner may move.
const conditions = [
  { name: 'a function', write: (column: string) => `tells(${column}::text)` },
  { name: 'a cast', write: (column: string) => `(${column}::text || 'x')::int = 1` },
  {
    name: 'a cast of names that LIKE finds',
    write: (column: string) =>
      `(${column}::text || 'x')::int = 1 and ${column}::text like '%${names[0]?.slice(2) ?? ''}%'`,
  },
];

test.each(conditions)(
  '$name in a condition tells nothing of a neighbour',
  async ({ write }) => {
    const columns = await client.query<{ relation: string; column: string }>(
      `select format('%I.%I', nspname, relname) as relation, quote_ident(attname) as column
     from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
     where nspname in ('pg_catalog', 'information_schema') and relkind in ('r', 'v') and attnum > 0
       and not attisdropped and has_column_privilege(c.oid, attnum, 'select')`,
    );
    expect(columns.rows.length).toBeGreaterThan(1_500);
    const told = new Set<string>();
    for (const { relation, column } of columns.rows) {
      noticed.length = 0;
      const statement = `select from ${relation} where ${write(column)}`;
      const error = await send(statement);
      if (tellsOfNeighbour(`${noticed.join(' ')} ${error}`)) told.add(`${relation}.${column}`);
    }
    expect([...told]).toEqual([]);
  },
  180_000,
);

test.each(['pg_database where (datname', 'pg_roles where (rolname', 'pg_user where (usename'])(
  'an error within select from %s tells nothing of a neighbour',
  async (start) => {
    const error = await send(`select from ${start} || 'x')::int = 1`);
    expect(error).toContain('invalid input syntax for type integer');
    expect(tellsOfNeighbour(error)).toBe(false);
    const column = start.split('(')[1] ?? '';
    const hidden = await send(
      `select from ${start} || 'x')::int = 1 and ${column} = '${names[0] ?? ''}'`,
    );
    expect(hidden.replaceAll(names[0] ?? '', '')).toBe(hidden);
  },
);

test('the neighbour is there, and these conditions do find what A may see', async () => {
  expect(names.length).toBeGreaterThan(5);
  noticed.length = 0;
  await send('select from pg_database where tells(datname)');
  expect(noticed).toEqual([new URL(project.databaseUrl).pathname.slice(1)]);
});
