// Plans of queries over the catalogs do not tell project A of a neighbour. PostgreSQL moves conditions with leakproof
// operators below the conditions of a view, and EXPLAIN ANALYZE counts the rows that they remove.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { Deployment } from '../support/deployment.js';

let deployment: Deployment;
let client: pg.Client;
let columns: readonly Column[];

interface Column {
  readonly relation: string;
  readonly column: string;
  readonly type: string;
}

beforeAll(async () => {
  deployment = await Deployment.shared();
  const project = await deployment.createProject();
  client = new pg.Client({ connectionString: project.databaseUrl });
  await client.connect();
  // Views in place of the server's tables, and views of PostgreSQL that showed rows of them.
  const reply = await client.query<Column>(
    `select format('pg_catalog.%I', relname) as relation, quote_ident(attname) as column,
            format_type(atttypid, null) as type
     from pg_attribute join pg_class c on c.oid = attrelid
     where relnamespace = 'pg_catalog'::regnamespace and relkind = 'v' and attnum > 0
       and has_column_privilege(c.oid, attnum, 'select')
       and atttypid in ('oid'::regtype, 'name'::regtype, 'text'::regtype, 'boolean'::regtype, 'integer'::regtype)
       and (c.oid between 16301 and 16399
         or relname in ('pg_roles', 'pg_user', 'pg_group', 'pg_stat_database', 'pg_stat_database_conflicts'))`,
  );
  columns = reply.rows;
}, 60_000);

afterAll(async () => {
  await client.end();
  await deployment.close();
});

const bounds: Readonly<Record<string, readonly [string, string]>> = {
  oid: ['16384', '4294967295'],
  integer: ['-2147483648', '2147483647'],
  boolean: ['false', 'true'],
  name: ['', '~'],
  text: ['', '~'],
};

const ways = ['seqscan', 'indexscan', 'bitmapscan'];

/** What the server says of a query: how it would be run, and how many rows each part gives and removes. */
async function planOf({ relation, column, type }: Column): Promise<string> {
  const [low, high] = bounds[type] ?? ['', ''];
  const reply = await client.query<Record<string, string>>(
    `explain (analyze, costs off, timing off, summary off, buffers off)
     select from ${relation} where ${column} >= '${low}' and ${column} <= '${high}' and ${column} <> '${high}'`,
  );
  return reply.rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function plans(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const allowed of ways) {
    const settings = ways.map((way) => `set enable_${way} = ${way === allowed ? 'on' : 'off'};`);
    await client.query(settings.join(' '));
    for (const column of columns) {
      found.set(`${column.relation}.${column.column} ${allowed}`, await planOf(column));
    }
  }
  return found;
}

test('plans and counts of rows are the same after a neighbour has come', async () => {
  expect(columns.length).toBeGreaterThan(50);
  // The second run finds the plans of functions and the statistics as the third does.
  await plans();
  const before = await plans();
  await deployment.createProject();
  const after = await plans();
  const different = [...after].filter(([name, plan]) => before.get(name) !== plan);
  expect(different).toEqual([]);
}, 180_000);

test('no view of PostgreSQL reads a table of the server', async () => {
  const reply = await client.query(
    `select view.relname as view, shared.relname as shared
     from pg_rewrite join pg_class view on view.oid = ev_class
     join pg_class shared on shared.relisshared and strpos(ev_action::text, format(':relid %s ', shared.oid)) > 0`,
  );
  expect(reply.rows).toEqual([]);
});
