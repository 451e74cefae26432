// What SQL of project A can learn of project B from the catalogs and functions of PostgreSQL: nothing. The
// functions and relations are not listed here but read from the server, so a new one joins by itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  abandonedNumbers,
  probeFunctions,
  readEverything,
  rolesOf,
  type Numbers,
} from './catalog-probe.js';

let deployment: Deployment;
let a: {
  readonly project: ProjectUnderTest;
  readonly client: pg.Client;
  readonly database: string;
};
let b: {
  readonly project: ProjectUnderTest;
  readonly client: pg.Client;
  readonly database: string;
  readonly names: readonly string[];
  readonly numbers: Numbers;
};

beforeAll(async () => {
  deployment = await Deployment.shared();
  const [first, second] = [await deployment.createProject(), await deployment.createProject()];
  a = { project: first, ...(await connectTo(first)) };
  const neighbor = await connectTo(second);
  const roles = await rolesOf(neighbor.database);
  const [row] = (
    await neighbor.client.query<Record<string, unknown>>(
      `select pg_backend_pid()::text as session, current_user::text as owner`,
    )
  ).rows;
  const [database] = await asSuperuser('select oid::text from pg_database where datname = $1', {
    values: [neighbor.database],
  });
  b = {
    project: second,
    ...neighbor,
    names: [neighbor.database, ...roles.map(({ name }) => name)],
    numbers: {
      database: String(database?.['oid']),
      role: roles.find(({ name }) => name === row?.['owner'])?.oid ?? '',
      session: String(row?.['session']),
    },
  };
}, 60_000);

afterAll(async () => {
  await a.client.end();
  await b.client.end();
  await deployment.close();
});

async function connectTo(
  project: ProjectUnderTest,
): Promise<{ readonly client: pg.Client; readonly database: string }> {
  const client = new pg.Client({ connectionString: project.databaseUrl });
  await client.connect();
  const reply = await client.query<{ name: string }>('select current_database() as name');
  return { client, database: reply.rows[0]?.name ?? '' };
}

test('no function answers differently for a number of B than for one that does not exist', async () => {
  expect(b.numbers.role).not.toBe('');
  const differences = await probeFunctions(a.client, b.numbers, await abandonedNumbers());
  expect(differences).toEqual([]);
}, 60_000);

test('no type turns a number of B into a name', async () => {
  const types = await a.client.query<{ name: string }>(
    `select format_type(oid, null) as name from pg_type
     where typnamespace = 'pg_catalog'::regnamespace and typtype = 'b' and typname !~ '^_'`,
  );
  expect(types.rows.length).toBeGreaterThan(50);
  const said: string[] = [];
  for (const { name } of types.rows) {
    for (const number of [b.numbers.database, b.numbers.role]) {
      const reply = await a.client
        .query<{ text: string }>(`select ($1::text)::${name}::text as text`, [number])
        .catch(() => undefined);
      said.push(`${name}: ${reply?.rows[0]?.text}`);
    }
  }
  expect(said.filter(tellsOfB)).toEqual([]);
});

const tellsOfB = (text: string): boolean => b.names.some((name) => text.includes(name));

// Transactions are numbered for the whole server, and the number is in each row (xmin): it cannot be closed.
const numbersOfTransactions = [
  'pg_export_snapshot',
  'pg_current_snapshot',
  'pg_current_xact_id',
  'pg_current_xact_id_if_assigned',
  'txid_current',
  'txid_current_if_assigned',
  'txid_current_snapshot',
];
const clocksAndDice = [
  'clock_timestamp',
  'now',
  'statement_timestamp',
  'timeofday',
  'transaction_timestamp',
  'random',
  'gen_random_uuid',
  'uuidv4',
  'uuidv7',
  'pg_cursor',
];
/** Relations that count the work in the own database: the reading itself, and autovacuum. */
const ownActivity =
  /^pg_catalog\.(pg_stat(io)?_(xact_)?(all|sys|user)_|pg_stat_database$|pg_stat_activity$|pg_stat_progress_(analyze|vacuum)$|pg_cursors$|pg_locks$|pg_lock_status)/;

/** The sources whose text differs, without those that differ by themselves. */
function changedSources(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const still = [...numbersOfTransactions, ...clocksAndDice].map((name) => `pg_catalog.${name}()`);
  return [...after]
    .filter(([source, text]) => before.has(source) && before.get(source) !== text)
    .map(([source]) => source)
    .filter((source) => !still.includes(source) && !ownActivity.test(source));
}

describe('relations and functions without arguments', () => {
  let after: Map<string, string>;
  /** What moved each time when B worked: autovacuum moves something in the own database now and then. */
  let moved: readonly string[] | undefined;
  beforeAll(async () => {
    await asSuperuser('vacuum (analyze)', { database: a.database });
    for (let round = 1; round <= 3 && moved?.length !== 0; round += 1) {
      const before = await readEverything(a.client);
      await b.client.query(
        `drop table if exists work; create table work (n int);
         insert into work select generate_series(1, 100000); select count(*) from work`,
      );
      after = await readEverything(a.client);
      moved = changedSources(before, after).filter((source) => moved?.includes(source) ?? true);
    }
  }, 60_000);

  test('say no name of B', () => {
    expect([...after].filter(([, text]) => tellsOfB(text)).map(([source]) => source)).toEqual([]);
    expect(after.size).toBeGreaterThan(150);
  });

  test('show no number of B', async () => {
    const columns = await a.client.query<{ relation: string; column: string }>(
      `select format('%I.%I', nspname, relname) as relation, quote_ident(attname) as column
       from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
       where nspname in ('pg_catalog', 'information_schema') and relkind in ('r', 'v') and attnum > 0
         and atttypid in ('oid'::regtype, 'regrole'::regtype) and has_column_privilege(c.oid, attnum, 'select')`,
    );
    const numbers = [b.numbers.database, ...(await rolesOf(b.database)).map(({ oid }) => oid)];
    const showing: string[] = [];
    for (const { relation, column } of columns.rows) {
      const reply = await a.client
        .query(`select from ${relation} where ${column} = any ($1::oid[])`, [numbers])
        .catch(() => undefined);
      if (reply !== undefined && reply.rowCount !== 0) showing.push(`${relation}.${column}`);
    }
    expect(showing).toEqual([]);
  });

  test('do not move while B works', () => {
    expect(moved).toEqual([]);
  });

  test('show the progress of the own database only', async () => {
    const vacuumed = async (client: pg.Client) =>
      (await client.query<{ name: string }>('select datname as name from pg_stat_progress_vacuum'))
        .rows;
    // Slow enough to be looked at: a pause of 100 ms after every page.
    await b.client.query('set vacuum_cost_delay = 100; set vacuum_cost_limit = 1');
    const slow = b.client.query('vacuum (disable_page_skipping) work').catch(() => undefined);
    const watcher = new pg.Client({ connectionString: b.project.databaseUrl });
    await watcher.connect();
    try {
      while ((await vacuumed(watcher)).length === 0);
      const seen = await vacuumed(a.client);
      expect(seen.filter(({ name }) => name !== a.database)).toEqual([]);
      expect(await vacuumed(watcher)).toContainEqual({ name: b.database });
    } finally {
      await watcher.query('select pg_cancel_backend(pid) from pg_stat_progress_vacuum');
      await slow;
      await b.client.query('reset vacuum_cost_delay; reset vacuum_cost_limit');
      await watcher.end();
    }
  });

  test('count the own activity only', async () => {
    const databases = await a.client.query(
      'select datname from pg_stat_database where datname is not null',
    );
    expect(databases.rows).toEqual([{ datname: a.database }]);
    const shared = await a.client.query(
      `select s.relname from pg_stat_all_tables s join pg_class c on c.oid = s.relid
       where c.relisshared and (n_live_tup is not null or seq_scan is not null)`,
    );
    expect(shared.rows).toEqual([]);
    const sizes = await a.client.query<{ relname: string }>(
      'select relname from pg_class where relisshared and pg_relation_size(oid) is not null',
    );
    expect(sizes.rows).toEqual([]);
  });
});

describe('catalogs of the server show the own rows', () => {
  test.each([
    { name: 'the database', sql: 'select datname as name from pg_database', own: ['{database}'] },
    {
      name: 'the roles that log in',
      sql: 'select rolname as name from pg_roles where rolcanlogin and not rolsuper',
      own: ['{roles}'],
    },
    {
      name: 'the members of shared roles',
      sql: `select distinct pg_get_userbyid(member)::text as name from pg_auth_members
            join pg_roles r on r.oid = roleid where rolname = 'authenticated' and member >= 16384`,
      own: ['{members}'],
    },
    {
      name: 'the owner by its number',
      sql: `select pg_get_userbyid(nspowner)::text as name from pg_namespace where nspname = 'public'`,
      own: ['{owner}'],
    },
    {
      name: 'the own session',
      sql: 'select distinct datname as name from pg_stat_activity',
      own: ['{database}'],
    },
    {
      name: 'the own right to connect',
      sql: `select has_database_privilege(oid, 'connect')::text as name from pg_database`,
      own: ['true'],
    },
    {
      name: 'rights as texts',
      sql: `select acldefault('d', nspowner)::text ~ current_user::text as name from pg_namespace where nspname = 'public'`,
      own: [true],
    },
  ])('$name', async ({ sql, own }) => {
    const logins = await asSuperuser(
      `select rolname as name from pg_roles r where rolcanlogin and not rolsuper and rolname = any ($1) order by 1`,
      { values: [(await rolesOf(a.database)).map(({ name }) => name)] },
    );
    const names = logins.map(({ name }) => String(name));
    const members = await asSuperuser(
      `select rolname as name from pg_roles where rolname = any ($1) and pg_has_role(oid, 'anon', 'member')`,
      { values: [names] },
    );
    const owner = decodeURIComponent(new URL(a.project.databaseUrl).username);
    const expected = own.flatMap((word) => {
      if (word === '{roles}') return names;
      if (word === '{database}') return [a.database];
      if (word === '{members}') return members.map(({ name }) => String(name));
      return [word === '{owner}' ? owner : word];
    });
    const reply = await a.client.query<{ name: unknown }>(sql);
    expect(reply.rows.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
  });

  test('sessions of B can be neither cancelled nor told from processes that do not exist', async () => {
    for (const call of ['pg_cancel_backend', 'pg_terminate_backend']) {
      const reply = await a.client.query(`select ${call}($1) as done, ${call}(3999999) as other`, [
        b.numbers.session,
      ]);
      expect(reply.rows).toEqual([{ done: false, other: false }]);
    }
    await expect(b.client.query('select 1')).resolves.toBeDefined();
  });

  test('requests of the table API see no session at all', async () => {
    const client = new pg.Client({ connectionString: databaseUrlOf(a.database) });
    await client.connect();
    try {
      const [api] = await asSuperuser(
        `select rolname as name from pg_roles where rolname = any ($1) and pg_has_role(oid, 'anon', 'member')`,
        { values: [(await rolesOf(a.database)).map(({ name }) => name)] },
      );
      await client.query(`set session authorization ${pg.escapeIdentifier(String(api?.['name']))}`);
      await client.query('set role anon');
      for (const relation of ['pg_stat_activity', 'pg_locks', 'pg_stat_progress_copy']) {
        expect((await client.query(`select from ${relation}`)).rowCount).toBe(0);
      }
    } finally {
      await client.end();
    }
  });

  test('a superuser still sees the whole server', async () => {
    const rows = await asSuperuser('select datname from pg_database', { database: a.database });
    expect(rows.map(({ datname }) => datname)).toContain(b.database);
  });
});

function databaseUrlOf(database: string): string {
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${database}`;
  return url.href;
}
