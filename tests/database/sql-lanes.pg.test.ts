import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Kysely, PostgresDialect } from 'kysely';
import type { ProjectDatabase } from '#libs/database';
import type { Credential } from '#libs/wire';
import { waitFor } from '#libs/testing';
import { createProject, ids, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let db: ProjectDatabase;
beforeAll(async () => {
  project = await createProject();
  db = project.open();
});
afterAll(() => project.drop());

const bob: Credential = { kind: 'session', token: 'bob-token' };

async function noteExists(id: number): Promise<boolean> {
  return (await project.admin.query('select from public.notes where id = $1', [id])).rowCount === 1;
}

describe('a transaction as a caller', () => {
  test('runs under the policies of the caller, and commits', async () => {
    const owner = await db.runAs(bob, async (tx) => {
      const { rows, rowCount } = await tx.query<{ owner: string }>(
        'insert into public.notes (id, body) values ($1, $2) returning owner',
        [100, 'x'],
      );
      expect(rowCount).toBe(1);
      expect(tx.caller).toMatchObject({ role: 'authenticated', user: { id: ids.bob } });
      return rows[0]?.owner;
    });
    expect(owner).toBe(ids.bob);
    expect(await noteExists(100)).toBe(true);
  });

  test('an error of the work undoes it and is thrown on as it is', async () => {
    const own = new Error('of my own');
    const running = db.runAs(bob, async (tx) => {
      await tx.query('insert into public.notes (id) values (101)');
      throw own;
    });
    await expect(running).rejects.toBe(own);
    expect(await noteExists(101)).toBe(false);
  });

  test('an error of the database is the one that the caller may see', async () => {
    const insert = `insert into public.notes (id, body) values (102, 'forbidden')`;
    await expect(db.runAs(bob, (tx) => tx.query(insert))).rejects.toMatchObject({
      code: '42501',
      status: 403,
    });
  });

  test('a swallowed error does not look like a commit', async () => {
    const running = db.runAs(bob, async (tx) => {
      await tx.query('insert into public.notes (id) values (103)');
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(running).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
    expect(await noteExists(103)).toBe(false);
  });

  test('leaves no role behind on its connection', async () => {
    await db.runAs(bob, (tx) => tx.query('select 1'));
    await expect(
      db.runAs({ kind: 'none' }, (tx) =>
        tx.query('select current_user as role, auth.role() as claim'),
      ),
    ).resolves.toMatchObject({ rows: [{ role: 'anon', claim: 'anon' }] });
  });
});

describe('a transaction of the engine', () => {
  test('works on accounts and settings, not on tables of the project', async () => {
    const { rows } = await db.runAsEngine((tx) =>
      tx.query<{ id: string }>('select id from "user" where email = $1', ['bob@example.test']),
    );
    expect(rows).toEqual([{ id: ids.bob }]);
    await expect(
      db.runAsEngine((tx) => tx.query('select * from public.notes')),
    ).rejects.toMatchObject({ code: '42501' });
  });

  test('a value that cannot be sent is an error, not a lost connection', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(
      db.runAsEngine((tx) => tx.query('select $1::json', [circular])),
    ).rejects.toBeInstanceOf(TypeError);
    await db.runAsEngine((tx) => tx.query('select 1'));
  });

  test('a connection that the server ends is not used again', async () => {
    const running = db.runAsEngine(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await project.admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await tx.query('select 1');
    });
    await expect(running).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503 });
    await waitFor(() => db.stats().busy === 0);
    await db.runAsEngine((tx) => tx.query('select 1'));
  });
});

describe('one statement of the engine', () => {
  test('gives its rows, and what it changes is kept', async () => {
    const rename = 'update "user" set name = $2 where id = $1 returning name';
    const renamed = [{ name: 'Robert' }];
    expect(await db.queryAsEngine(rename, [ids.bob, 'Robert'])).toEqual(renamed);
    const find = 'select name from "user" where id = $1';
    expect(await db.queryAsEngine(find, [ids.bob])).toEqual(renamed);
  });

  test('works on accounts and settings, not on tables of the project', async () => {
    await expect(db.queryAsEngine('select * from public.notes')).rejects.toMatchObject({
      code: '42501',
      status: 403,
    });
    await waitFor(() => db.stats().busy === 0);
  });
});

describe('the pool for Kysely', () => {
  interface Tables {
    user: { id: string; email: string; name: string };
  }
  let kysely: Kysely<Tables>;
  beforeAll(() => {
    kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: db.enginePool }) });
  });

  test('reads and writes in the schema auth', async () => {
    const row = await kysely
      .updateTable('user')
      .set({ name: 'Bob' })
      .where('email', '=', 'bob@example.test')
      .returning(['id', 'name'])
      .executeTakeFirst();
    expect(row).toEqual({ id: ids.bob, name: 'Bob' });
    const { numUpdatedRows } = await kysely
      .updateTable('user')
      .set({ name: 'B' })
      .executeTakeFirstOrThrow();
    expect(numUpdatedRows).toBe(3n);
  });

  test('transactions roll back, and the connection is clean afterwards', async () => {
    const running = kysely.transaction().execute(async (trx) => {
      await trx.updateTable('user').set({ name: 'lost' }).execute();
      throw new Error('no');
    });
    await expect(running).rejects.toThrow('no');
    expect(
      await kysely.selectFrom('user').where('name', '=', 'lost').selectAll().execute(),
    ).toEqual([]);
    await waitFor(() => db.stats().busy === 0);
  });

  test('errors carry the code of the database', async () => {
    const insert = kysely
      .insertInto('user')
      .values({ id: 'x', email: 'bob@example.test', name: '' });
    await expect(insert.execute()).rejects.toMatchObject({ code: '23505', status: 409 });
  });

  test('many at once wait for the few connections of the project', async () => {
    const runs = Array.from({ length: 50 }, () => kysely.selectFrom('user').select('id').execute());
    expect((await Promise.all(runs)).every((rows) => rows.length === 3)).toBe(true);
    expect(db.stats().open).toBeLessThanOrEqual(8);
  });
});
