// A project cannot ask for a lock on what all databases of the server share. A request for an exclusive lock that waits
// keeps every new connection of the server waiting, and PostgreSQL locks what a statement names before it asks for rights.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: pg.Client;
/** Has a transaction that has read the tables: in another database, so that it locks no view of the project. */
let reader: pg.Client;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  client = new pg.Client({ connectionString: project.databaseUrl });
  reader = new pg.Client({ connectionString: testDatabaseUrl() });
  await client.connect();
  await reader.connect();
  await client.query(`
    create table parent (oid oid, rolname name) partition by list (oid);
    create index parent_index on parent (oid);
    create table child (id oid);
    set lock_timeout = '2s'`);
  await reader.query('begin');
  const tables = await reader.query<{ name: string }>(
    `select oid::regclass as name from pg_class
     where relisshared and relkind = 'r' and relnamespace = 'pg_catalog'::regnamespace`,
  );
  for (const { name } of tables.rows) await reader.query(`select from ${name}`);
}, 60_000);

afterAll(async () => {
  await client.end();
  await reader.end();
  await deployment.close();
});

interface Shared {
  readonly oid: string;
  /** With its schema, as the catalogs show it. */
  readonly name: string;
  readonly plain: string;
  readonly kind: string;
}

const ofTables = (table: string): readonly string[] => [
  `alter table parent attach partition ${table} default`,
  `create table part partition of ${table} default`,
  `create table heir () inherits (${table})`,
  `create table twin (like ${table})`,
  `alter table child add foreign key (id) references ${table} (oid)`,
  `alter table child inherit ${table}`,
  `alter table ${table} rename to mine`,
  `alter table ${table} set schema public`,
  `do $$ begin lock table ${table} in access exclusive mode; end $$`,
  `truncate ${table}`,
  `drop table ${table}`,
  `vacuum full ${table}`,
  `analyze ${table}`,
  `cluster ${table}`,
  `reindex table ${table}`,
  `create index on ${table} (oid)`,
  `create trigger t before update on ${table} execute function suppress_redundant_updates_trigger()`,
  `create rule r as on update to ${table} do nothing`,
  `create policy p on ${table}`,
  `comment on table ${table} is 'x'`,
  `grant select on ${table} to public`,
  `create publication p for table ${table}`,
  `create statistics s on oid, rolname from ${table}`,
  `select from ${table} for update`,
];

const ofIndexes = (index: string): readonly string[] => [
  `alter index parent_index attach partition ${index}`,
  `alter index ${index} rename to mine`,
  `drop index ${index}`,
  `reindex index ${index}`,
  `comment on index ${index} is 'x'`,
];

/** The SQLSTATE that a statement of the project raises, or `done`. */
async function codeOf(statement: string): Promise<string> {
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code ?? '';
    throw error;
  }
}

/** Says which locks of the server's own relations sessions of the project ask for, apart from reading. */
async function lockRequests(): Promise<readonly unknown[]> {
  return asSuperuser(
    `select l.relation, l.mode, l.granted from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'relation' and l.database = 0 and a.datname = $1 and l.mode <> 'AccessShareLock'
       and a.backend_type = 'client backend'`,
    { values: [new URL(project.databaseUrl).pathname.slice(1)] },
  );
}

describe('what all databases share', () => {
  let relations: readonly Shared[];
  beforeAll(async () => {
    const reply = await client.query<Shared>(
      `select c.oid::text, format('%I.%I', nspname, relname) as name, quote_ident(relname) as plain,
              relkind::text as kind
       from pg_class c join pg_namespace n on n.oid = relnamespace where relisshared`,
    );
    relations = reply.rows;
  });

  test('is in schemas that a project may not use, its row types as well', async () => {
    expect(relations.length).toBeGreaterThan(40);
    const named = await client.query(
      `select nspname, relname from pg_class c join pg_namespace n on n.oid = relnamespace
       where relisshared and has_schema_privilege(n.oid, 'usage')
       union all
       select nspname, typname from pg_type t join pg_namespace n on n.oid = typnamespace
       where has_schema_privilege(n.oid, 'usage') and (
         typrelid in (select oid from pg_class where relisshared)
         or typelem in (select reltype from pg_class where relisshared and reltype <> 0)
       )`,
    );
    expect(named.rows).toEqual([]);
  });

  test('cannot be named by a statement that takes a lock', async () => {
    const answers = new Map<string, string>();
    for (const { name, kind } of relations) {
      for (const statement of kind === 'i' ? ofIndexes(name) : ofTables(name)) {
        const code = await codeOf(statement);
        if (code !== '42501') answers.set(statement, code);
      }
    }
    expect(Object.fromEntries(answers)).toEqual({});
    expect(await lockRequests()).toEqual([]);
  }, 120_000);

  test('is not locked by the names that stay in pg_catalog, nor by the names of earlier releases', async () => {
    const plain = relations.flatMap(({ plain: name, kind }) =>
      [`pg_catalog.${name}`, `pg_catalog.hidden_${name}`, `pg_rowhouse.hidden_${name}`].flatMap(
        (path) => (kind === 'i' ? ofIndexes(path) : ofTables(path)),
      ),
    );
    const waited: string[] = [];
    for (const statement of plain) {
      // The transaction that a statement fails in keeps its locks until the end.
      await client.query('begin');
      const code = await codeOf(statement);
      await client.query('rollback');
      // lock_not_available: it has waited for the reader.
      if (code === '55P03') waited.push(statement);
    }
    expect(waited).toEqual([]);
    expect(await lockRequests()).toEqual([]);
  }, 120_000);

  test('is not locked by functions that take its number', async () => {
    const functions = await client.query<{ call: string }>(
      `select format('pg_catalog.%I(', proname) as call from pg_proc
       where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and pronargs = 1
         and proargtypes[0] = 'regclass'::regtype and has_function_privilege(oid, 'execute')`,
    );
    expect(functions.rows.length).toBeGreaterThan(5);
    const waited: string[] = [];
    for (const { call } of functions.rows) {
      for (const { oid } of relations) {
        const statement = `select ${call}${oid})`;
        const code = await codeOf(statement);
        if (code === '55P03') waited.push(statement);
      }
    }
    expect(waited).toEqual([]);
  }, 60_000);
});

test('statements that write to them for the project work as before', async () => {
  const rows = await project.sql(`
    create table owned (id int primary key);
    grant select on owned to anon;
    alter table owned enable row level security;
    create policy all_rows on owned to authenticated using (true);
    revoke select on owned from anon;
    alter table owned owner to current_user;
    reassign owned by current_user to current_user;
    select count(*)::int as roles from pg_roles where rolname = current_user`);
  expect(rows).toEqual([{ roles: 1 }]);
});
