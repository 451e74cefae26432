// Who sees and may change which files: built-in policies, those of the project, and how they are asked.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { ids } from './project-fixture.js';
import {
  createStorageProject,
  oneOf,
  putFile,
  type NewUpload,
  type StorageFixture,
} from './storage-fixture.js';

describe.each(['text', 'uuid'] as const)('in a project of %s ids', (idType) => {
  let project: StorageFixture;
  let engine: Client;
  let api: Client;
  let owner: Client;
  beforeAll(async () => {
    project = await createStorageProject(idType);
    [engine, api, owner] = await Promise.all([
      project.login('engine'),
      project.login('api'),
      project.login('owner'),
    ]);
    await project.admin.query(`insert into storage.buckets (slug, name, public) values
      ('docs', 'Docs', false), ('open', 'Open', true)`);
  });
  afterAll(() => project.drop());
  beforeEach(async () => {
    await project.admin.query('delete from storage.stored_files');
  });

  type Role = 'anon' | 'ada' | 'bob' | 'service_role';

  /** Runs one statement as a caller, in a transaction that is undone. */
  async function as<Row extends object>(
    who: Role,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const role = who === 'ada' || who === 'bob' ? 'authenticated' : who;
    const subject = who === 'ada' || who === 'bob' ? ids[who] : '';
    await api.query('begin');
    try {
      await api.query(
        `select set_config('role', $1, true), set_config('request.jwt.claim.sub', $2, true)`,
        [role, subject],
      );
      return (await api.query<Row>(text, [...values])).rows;
    } finally {
      await api.query('rollback');
    }
  }

  const put = async (upload: NewUpload) => (await putFile(engine, upload)).id ?? '';

  const seenBy = async (who: Role) => {
    const rows = await as<{ key: string }>(who, 'select key from storage.files order by key');
    return rows.map(({ key }) => key);
  };

  async function mayInsert(
    who: Role,
    file: { owner: string | null; bucket?: string; key?: string },
  ) {
    const { bucket = 'docs', key = 'new.txt' } = file;
    const rows = await as<{ may: boolean }>(
      who,
      `select storage.may_insert($1, $2, 10, 'text/plain', 'private', $3) as may`,
      [bucket, key, file.owner],
    );
    return oneOf(rows).may;
  }

  const mayUpdate = async (who: Role, id: string, key?: string) =>
    oneOf(
      await as<{ may: boolean }>(who, 'select storage.may_update($1, key => $2) as may', [id, key]),
    ).may;

  const deletable = async (who: Role, files: readonly string[]) =>
    (await as<{ id: string }>(who, 'select storage.list_deletable($1) as id', [files])).map(
      ({ id }) => id,
    );

  test('callers see their own files and public ones in public buckets', async () => {
    await put({ key: '1-own', owner: ids.ada });
    await put({ key: '2-of-bob', owner: ids.bob });
    await put({ key: '3-public-of-bob', owner: ids.bob, bucket: 'open', visibility: 'public' });
    await put({ key: '4-private-in-public', owner: ids.bob, bucket: 'open' });
    await put({ key: '5-public-in-private', owner: ids.bob, visibility: 'public' });
    await put({ key: '6-of-nobody' });
    expect(await seenBy('ada')).toEqual(['1-own', '3-public-of-bob']);
    expect(await seenBy('anon')).toEqual([]);
    expect(await seenBy('service_role')).toHaveLength(6);
    const { rows } = await owner.query('select from storage.files');
    expect(rows).toHaveLength(6);
  });

  test('what a caller does not see cannot be found out by its functions either', async () => {
    await put({ key: 'of-bob', owner: ids.bob });
    await expect(as('ada', 'select from storage.stored_files')).rejects.toMatchObject({
      code: '42501',
    });
    const rows = await as('ada', `select from storage.files where key like 'of%' for update`);
    expect(rows).toEqual([]);
  });

  test.each(['uploads', 'garbage', 'access_tokens', 'webhooks', 'webhook_outbox'])(
    'no caller reads storage.%s',
    async (table) => {
      for (const who of ['anon', 'ada', 'service_role'] as const) {
        await expect(as(who, `select from storage.${table}`)).rejects.toMatchObject({
          code: '42501',
        });
      }
    },
  );

  test('callers read what is public of buckets, and no counters', async () => {
    expect(await as('anon', 'select slug, name, public from storage.buckets')).toHaveLength(4);
    await expect(as('ada', 'select used_bytes from storage.buckets')).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('files are made for oneself', async () => {
    expect(await mayInsert('ada', { owner: ids.ada })).toBe(true);
    expect(await mayInsert('ada', { owner: ids.bob })).toBe(false);
    expect(await mayInsert('ada', { owner: null })).toBe(false);
    expect(await mayInsert('anon', { owner: null })).toBe(false);
    expect(await mayInsert('service_role', { owner: null })).toBe(true);
  });

  test('own files are changed and deleted', async () => {
    const own = await put({ owner: ids.ada });
    const other = await put({ owner: ids.bob });
    const shown = await put({ owner: ids.bob, bucket: 'open', visibility: 'public' });
    const absent = randomUUID();
    const all = [own, other, shown, absent];
    expect(await mayUpdate('ada', own)).toBe(true);
    for (const file of [other, shown, absent]) expect(await mayUpdate('ada', file)).toBe(false);
    expect(await deletable('ada', all)).toEqual([own]);
    expect(await deletable('anon', all)).toEqual([]);
    expect(await deletable('service_role', all)).toEqual([own, other, shown]);
    expect(await deletable('ada', [])).toEqual([]);
  });

  test('a key that is taken is no matter of policies', async () => {
    await put({ key: 'taken', owner: ids.ada });
    const own = await put({ owner: ids.ada });
    expect(await mayUpdate('ada', own, 'taken')).toBe(true);
  });

  test('asking leaves nothing behind', async () => {
    const own = await put({ key: 'own', owner: ids.ada });
    const before = await project.admin.query('select * from storage.files');
    await mayInsert('ada', { owner: ids.ada });
    await mayUpdate('ada', own, 'moved');
    await deletable('ada', [own]);
    expect((await project.admin.query('select * from storage.files')).rows).toEqual(before.rows);
  });

  test.each([
    {
      name: 'insert',
      sql: `insert into storage.files (bucket, key, owner_id) values ('docs', 'k', $1)`,
    },
    { name: 'update', sql: `update storage.files set key = 'other' where owner_id = $1` },
    { name: 'delete', sql: 'delete from storage.files where owner_id = $1' },
    {
      name: 'insert with a look at it',
      sql: `with w as (insert into storage.files (bucket, key, owner_id) values ('docs', 'k', $1) returning *)
        select * from w`,
    },
    {
      name: 'merge',
      sql: `merge into storage.files f using (select 1) one on f.owner_id = $1 when matched then delete`,
    },
  ])('no caller writes: $name', async ({ sql }) => {
    const own = await put({ key: 'own', owner: ids.ada });
    for (const who of ['ada', 'service_role'] as const) {
      await expect(as(who, sql, [ids.ada])).rejects.toMatchObject({ code: 'RH001' });
    }
    const { rows } = await project.admin.query<{ id: string; key: string }>(
      'select id, key from storage.files',
    );
    expect(rows).toEqual([{ id: own, key: 'own' }]);
  });

  test('asking writes nothing, so that the table without rows stays empty on the disk, too', async () => {
    for (const who of ['ada', 'bob', 'anon', 'service_role'] as const) {
      for (let times = 0; times < 3; times += 1) {
        await mayInsert(who, { key: `asked ${times}`, owner: who === 'ada' ? ids.ada : null });
      }
    }
    const { rows } = await project.admin.query<{ bytes: string }>(
      `select pg_relation_size('storage.files') as bytes`,
    );
    expect(rows).toEqual([{ bytes: '0' }]);
  });

  test('no caller truncates', async () => {
    await expect(as('service_role', 'truncate storage.files')).rejects.toMatchObject({
      code: '42501',
    });
  });

  describe('policies of the project', () => {
    const policies: string[] = [];
    const createPolicy = async (name: string, rest: string) => {
      policies.push(name);
      await owner.query(`create policy ${name} on storage.files ${rest}`);
    };
    afterEach(async () => {
      for (const name of policies.splice(0)) {
        await owner.query(`drop policy ${name} on storage.files`);
      }
    });

    test('open folders to others', async () => {
      await createPolicy(
        'shared_read',
        `for select to anon using (bucket = 'docs' and key like 'shared/%')`,
      );
      await createPolicy(
        'shared_insert',
        `for insert to authenticated with check (bucket = 'docs' and key like 'shared/%' and size <= 10)`,
      );
      await put({ key: 'shared/a', owner: ids.bob });
      await put({ key: 'b', owner: ids.bob });
      expect(await seenBy('anon')).toEqual(['shared/a']);
      expect(await mayInsert('ada', { owner: null, key: 'shared/b' })).toBe(true);
      expect(await mayInsert('ada', { owner: null, key: 'b' })).toBe(false);
    });

    test('close what the built-in ones open', async () => {
      await createPolicy('no_docs', `as restrictive using (bucket <> 'docs')`);
      const own = await put({ key: 'own', owner: ids.ada });
      expect(await seenBy('ada')).toEqual([]);
      expect(await mayInsert('ada', { owner: ids.ada })).toBe(false);
      expect(await mayUpdate('ada', own)).toBe(false);
      expect(await deletable('ada', [own])).toEqual([]);
    });

    test('bind the new key of a move', async () => {
      await createPolicy(
        'keep_out',
        `as restrictive for update using (true) with check (key not like 'closed/%')`,
      );
      const own = await put({ owner: ids.ada });
      expect(await mayUpdate('ada', own, 'free')).toBe(true);
      expect(await mayUpdate('ada', own, 'closed/a')).toBe(false);
    });

    test('run their functions as the caller, on its search path, and never as the platform', async () => {
      await owner.query(`
        create table ran_as (who text);
        alter table ran_as disable row level security;
        grant usage on schema public to public;
        grant insert, select on ran_as to public;
        create function note() returns boolean language plpgsql volatile as
          $$begin insert into ran_as values (current_user); return true; end$$;
        create function look() returns setof text language plpgsql volatile as
          $$begin perform from storage.files; return query select distinct who from ran_as; end$$`);
      await createPolicy('noted', 'using (note()) with check (note())');
      const file = await put({ key: 'a', owner: ids.ada });
      await putFile(engine, { key: 'a', owner: ids.ada, upsert: true });
      await engine.query('select storage.move_file($1, $2)', [file, 'b']);
      await engine.query(`select count(*) from storage.stored_files where key = 'b'`);
      await engine.query(`update storage.stored_files set visibility = 'public'`);
      await engine.query(`select storage.recount_bucket('docs'), storage.expire_uploads()`);
      await expect(engine.query('select from storage.files')).rejects.toMatchObject({
        code: '42501',
      });
      await engine.query(`select storage.delete_files('docs', $1)`, [[file]]);
      expect((await owner.query('select * from ran_as')).rows).toEqual([]);

      await put({ key: 'c', owner: ids.bob });
      expect(await as('ada', 'select look() as who')).toEqual([{ who: 'authenticated' }]);
      expect(await mayInsert('anon', { owner: null })).toBe(true);
    });
  });
});
