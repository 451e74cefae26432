// Casts and columns tell nothing of the cluster: a number of the caller's never becomes a name of the
// catalogs, and no value prints a name that all projects of the cluster share.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create type mood as enum ('calm', 'stormy');
    create domain short_text as varchar(3);
    create type pair as (a int, b text);
    create type span as range (subtype = int4);
    create domain role_name as regrole;
    create domain role_names as regrole[];
    create domain table_name as regclass;
    create type with_role as (a int, r role_name);
    create type role_span as range (subtype = oid);
    create table mine (id int primary key, note text, tags text[] default '{x}');
    create policy everybody on mine using (true);
    insert into mine values (10, 'calm');
    create table owned (
      id int primary key,
      owner_role regrole,
      roles role_names,
      inside with_role,
      rights aclitem,
      of_table regclass,
      serial_number oid default 7);
    create policy everybody on owned using (true);
    insert into owned values (1, 10, '{10}', '(1,10)', null, 'public.mine');
    create table pointing (id int primary key, r regrole unique);
    create policy everybody on pointing using (true);
    create function role_of(id int) returns regrole stable language sql as 'select id::regrole';
    create function rows_of_owned() returns setof owned stable language sql as 'select * from owned';
    create function takes_role(r regrole) returns int stable language sql as 'select 1';
    create function role_column(mine) returns regrole stable language sql as 'select $1.id::regrole';`);
});
afterAll(() => sky.close());

const refused = (type: string) => ({
  status: 400,
  body: { code: 'CAST_REFUSED', message: `A request cannot cast values to the type ${type}` },
});

describe('a cast is refused with its name', () => {
  test.each([
    'regrole',
    'regclass',
    'regtype',
    'regproc',
    'regprocedure',
    'regnamespace',
    'regoper',
    'regoperator',
    'regconfig',
    'regdictionary',
    'regcollation',
    'oid',
    'xid',
    'xid8',
    'cid',
    'tid',
    'name',
    'refcursor',
    'xml',
    'pg_lsn',
    'pg_snapshot',
    'txid_snapshot',
    'aclitem',
    'record',
    'anyelement',
    'cstring',
    'pg_class',
    'pg_authid',
    'information_schema',
    '_text',
    'regrole[]',
    'oid[]',
    'name[]',
    'oidvector',
    'nothing_of_this_name',
    'mine',
    '_mood',
    'role_name',
    'role_names',
    'table_name',
    'with_role',
    'role_span',
    'with_role[]',
  ])('%s', async (type) => {
    expect(await sky.get(`mine?select=r:id::${type}`)).toMatchObject(refused(type));
  });

  test.each([
    ['of an aggregate', 'select=id.max()::regrole'],
    ['of the number of rows', 'select=count()::regrole'],
    ['before an aggregate', 'select=id::regrole.max()'],
    ['behind a path', 'select=note->>a::regrole'],
  ])('%s', async (_name, query) => {
    expect(await sky.get(`mine?${query}`)).toMatchObject(refused('regrole'));
  });

  test('in an embed, and in what a write gives back', async () => {
    const embed = await sky.get('planets?select=id,moons(r:id::regclass)');
    expect(embed).toMatchObject(refused('regclass'));
    const written = await sky.send('POST', 'mine?select=r:id::regrole', {
      headers: { prefer: 'return=representation' },
      body: [{ id: 11 }],
    });
    expect(written).toMatchObject(refused('regrole'));
    expect((await sky.get('mine?select=id')).body).toEqual([{ id: 10 }]);
  });
});

describe('a cast is allowed', () => {
  test.each([
    ['text', '10'],
    ['int8', 10],
    ['bigint', 10],
    ['numeric', 10],
    ['varchar', '10'],
    ['char', '1'],
    ['float', 10],
    ['money', '$10.00'],
    ['boolean', true],
    ['decimal', 10],
  ])('of a number to %s', async (type, value) => {
    expect((await sky.get(`mine?select=v:id::${type}`)).body).toEqual([{ v: value }]);
  });

  test.each([
    ['an enum of the project', 'note::mood', 'calm'],
    ['a domain of the project', 'id::short_text', '10'],
    ['an array', 'tags::varchar[]', ['x']],
  ])('to %s', async (_name, cast, value) => {
    expect((await sky.get(`mine?select=v:${cast}`)).body).toEqual([{ v: value }]);
  });

  test('to a composite type and to a range of the project', async () => {
    await sky.project.sql(`insert into mine values (12, '(1,x)'), (13, '[1,4)')`);
    const pair = await sky.get('mine?select=v:note::pair&id=eq.12');
    expect(pair.body).toEqual([{ v: { a: 1, b: 'x' } }]);
    const span = await sky.get('mine?select=v:note::span&id=eq.13');
    expect(span.body).toEqual([{ v: '[1,4)' }]);
    await sky.project.sql('delete from mine where id > 10');
  });

  test('to a type that was made a moment ago', async () => {
    await sky.project.sql(`create type fresh as enum ('calm')`);
    expect((await sky.get('mine?select=v:note::fresh')).body).toEqual([{ v: 'calm' }]);
  });
});

describe('columns', () => {
  test('of a type with names of the cluster are no part of the API', async () => {
    expect((await sky.get('owned')).body).toEqual([
      { id: 1, of_table: 'mine', serial_number: '7' },
    ]);
    for (const column of ['owner_role', 'roles', 'inside', 'rights']) {
      const shown = await sky.get(`owned?select=${column}`);
      expect(shown).toMatchObject({ status: 400, body: { code: 'PGRST204' } });
      const filtered = await sky.get(`owned?${column}=eq.10`);
      expect(filtered).toMatchObject({ status: 400, body: { code: 'PGRST204' } });
    }
    const written = await sky.send('POST', 'owned', { body: { id: 2, owner_role: 10 } });
    expect(written).toMatchObject({ status: 400, body: { code: 'PGRST204' } });
    expect((await sky.get('pointing')).body).toEqual([]);
  });

  test('are not read by a reference of a batch either', async () => {
    const reply = await sky.send('POST', 'batch', {
      body: {
        operations: [
          { method: 'PATCH', model: 'owned', query: 'id=eq.1', body: { serial_number: 8 } },
          { method: 'POST', model: 'mine', body: { id: 20, note: { $ref: '/0/0/owner_role' } } },
        ],
      },
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'BATCH_REFERENCE_MISSING' } });
  });

  test('of functions are left out, and functions with such values are not found', async () => {
    const rows = await sky.get('rpc/rows_of_owned');
    expect(rows.body).toEqual([{ id: 1, of_table: 'mine', serial_number: '7' }]);
    expect(await sky.get('rpc/role_of?id=10')).toMatchObject({ status: 404 });
    expect(await sky.get('rpc/takes_role?r=10')).toMatchObject({ status: 404 });
    const computed = await sky.get('mine?select=role_column');
    expect(computed).toMatchObject({ status: 400, body: { code: 'PGRST204' } });
  });
});
