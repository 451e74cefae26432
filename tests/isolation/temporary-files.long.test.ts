// The sessions of a project write temporary files up to a limit that none of its logins can raise: sorts of one
// project do not fill the disk of all. What needs more is refused, with an answer that says so.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { loginKinds, type LoginKind } from '../../libs/control-plane/src/provisioning/names.js';
import { asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { copyProject, type ProjectCopy } from '../support/project-copy.js';

let copy: ProjectCopy;
beforeAll(async () => {
  copy = await copyProject();
});
afterAll(() => copy.drop());

describe.each(loginKinds)('a session of the login %s', (kind) => {
  test('has a limit of 2 GB', async () => {
    const shown = await withLogin(kind, (client) => client.query('show temp_file_limit'));
    expect(shown.rows).toEqual([{ temp_file_limit: '2GB' }]);
  });

  test.each([
    { name: 'in the session', sql: 'set temp_file_limit = -1' },
    { name: 'in a transaction', sql: 'begin; set local temp_file_limit = -1' },
    { name: 'by a function', sql: `select set_config('temp_file_limit', '-1', false)` },
    { name: 'for the login', sql: 'alter role current_user set temp_file_limit = -1' },
    { name: 'for the database', sql: 'alter database "{database}" set temp_file_limit = -1' },
    { name: 'by taking it back', sql: 'alter database "{database}" reset temp_file_limit' },
    {
      name: 'for the login in the database',
      sql: 'alter role current_user in database "{database}" set temp_file_limit = -1',
    },
    {
      name: 'in a function of its own',
      sql: `create function pg_temp.f() returns int language sql set temp_file_limit = -1 return 1`,
    },
  ])('cannot raise it $name', async ({ sql }) => {
    await withLogin(kind, async (client) => {
      const text = sql.replace('{database}', copy.names.database);
      await expect(client.query(text)).rejects.toMatchObject({ code: '42501' });
    });
    const shown = await withLogin(kind, (client) => client.query('show temp_file_limit'));
    expect(shown.rows).toEqual([{ temp_file_limit: '2GB' }]);
  });

  test('cannot begin with another one', async () => {
    const options = '-c temp_file_limit=-1';
    const work = (client: pg.Client) => client.query('select');
    await expect(withLogin(kind, work, { options })).rejects.toMatchObject({ code: '42501' });
  });
});

async function withLogin<T>(
  kind: LoginKind,
  work: (client: pg.Client) => Promise<T>,
  more: pg.ClientConfig = {},
): Promise<T> {
  const { host, port } = new pg.Client({ connectionString: testDatabaseUrl() });
  const { names, password } = copy;
  const { database } = names;
  const client = new pg.Client({ host, port, database, user: names[kind], password, ...more });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('a sort that needs more', () => {
  const refusal = {
    code: '53400',
    message: 'temporary file size exceeds "temp_file_limit" (1024kB)',
  };
  let deployment: Deployment;
  let project: ProjectUnderTest;
  beforeAll(async () => {
    deployment = await Deployment.shared();
    project = await deployment.createProject();
    // Before its first session: writing 2 GB would take seconds, and memory of the machine.
    await asSuperuser(`alter database "${project.database}" set temp_file_limit = '1MB'`);
    await project.sql(`
      create table long (id int primary key, text text);
      alter table long alter column text set storage external;
      create policy everybody on long using (true) with check (true);
      create function sorted() returns int language sql stable
        as 'select max(id + n)::int from (select id, row_number() over (order by text) as n from long) numbered';
      ${inserts(5_000).join(';')}`);
  });
  /** In steps: the rows that a statement writes are kept for the capture of changes, in a temporary file if they are many. */
  const inserts = (rows: number): readonly string[] =>
    Array.from(
      { length: rows / 1_000 },
      (_, step) => `insert into long select id, repeat(md5(id::text), 60)
        from generate_series(${step * 1_000 + 1}, ${(step + 1) * 1_000}) id`,
    );
  afterAll(() => deployment.close());

  test.each([
    { name: 'of a table', path: '/rest/v1/long?select=id&order=text&limit=4000&offset=900' },
    { name: 'in a function', path: '/rest/v1/rpc/sorted' },
  ])('is refused over the table API, $name', async ({ path }) => {
    const reply = await project.send({ path });
    expect(reply).toMatchObject({ status: 500, body: refusal });
    expect(reply.headers['retry-after']).toBeUndefined();
  });

  test('is refused in the SQL editor', async () => {
    const query = 'select id from long order by text';
    const body = { query: `create table made (); ${query}` };
    const reply = await project.asService({ method: 'POST', path: '/api/admin/sql', body });
    expect(reply).toMatchObject({ status: 500, body: refusal });
    expect(await project.sql(`select to_regclass('made') as made`)).toEqual([{ made: null }]);
  });

  test('leaves the session to those that need less', async () => {
    const path = '/rest/v1/long?select=id&order=id&limit=2';
    expect((await project.send({ path })).body).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
