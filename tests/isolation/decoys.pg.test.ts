// Functions and operators that A's owner makes under the names of built-in ones change nothing of what the
// platform itself does in the database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { openNeighbors, type Neighbors } from './neighbors.js';

let site: Neighbors;

function edit(query: string): Promise<Reply> {
  const body = { query: query.replaceAll('{a}', site.a.project.databaseId) };
  return site.a.project.asService({ method: 'POST', path: '/api/admin/sql', body });
}

const rowsOf = (reply: Reply): unknown => asRecord(reply.body)['rows'];

const decoys = `
    create or replace function public.now() returns timestamptz language sql
      as 'select ''1970-01-01''::timestamptz';
    create or replace function public.set_config(text, text, boolean) returns text language sql
      as 'select ''service_role''::text';
    create or replace function public.pg_event_trigger_ddl_commands() returns table
      (objid oid, object_identity text, object_type text, schema_name text, command_tag text)
      language sql as 'select 1::oid, ''public.nothing'', ''table'', ''public'', ''CREATE TABLE''';
    create or replace function public.always(text, text) returns boolean language sql as 'select true';
    create operator public.= (leftarg = text, rightarg = text, function = public.always);
    create schema if not exists mine;`;

beforeAll(async () => {
  site = await openNeighbors();
  expect((await edit(decoys)).status).toBe(200);
});
afterAll(() => site.close());

describe('objects that bear the names of others', () => {
  test('do not stop row level security on new tables', async () => {
    const made = await edit(`set search_path = public, pg_catalog;
      create table disguised (id int); create table as_query as select 1 as id;
      select 2 as id into into_query`);
    expect(made.status).toBe(200);
    const rls = await edit(`select relname, relrowsecurity from pg_class
      where relname in ('disguised', 'as_query', 'into_query') order by 1`);
    expect(rowsOf(rls)).toEqual(
      ['as_query', 'disguised', 'into_query'].map((relname) => ({ relname, relrowsecurity: true })),
    );
  });

  test('do not hide a change of the catalog from the next request', async () => {
    const read = () => site.a.project.asService({ path: '/rest/v1/disguised' });
    expect((await read()).body).toEqual([]);
    await edit(`set search_path = public, pg_catalog; insert into disguised values (1);
      alter table disguised add column name text`);
    expect((await read()).body).toEqual([{ id: 1, name: null }]);
  });

  test('do not change who a caller is', async () => {
    const { project, user } = site.a;
    expect((await project.send({ path: '/rest/v1/notes' })).body).toEqual([]);
    const stranger = { path: '/rest/v1/notes', headers: { authorization: 'Bearer nobody' } };
    expect((await project.send(stranger)).body).toEqual([]);
    const own = await project.as(user, { path: '/rest/v1/notes?select=text' });
    expect(own.body).toEqual([{ text: 'note of a' }]);
  });

  test('in the settings of the database or of a role do not change it either', async () => {
    // The owner may set defaults of its own login only; those of the other logins are refused.
    for (const login of ['api', 'engine']) {
      const reply = await edit(`alter role "{a}_${login}" set search_path = public, pg_catalog`);
      expect(reply.body).toMatchObject({ code: '42501' });
    }
    const database = await edit('alter database p_{a} set search_path = public, pg_catalog');
    expect(database.body).toMatchObject({ code: '42501' });
  });
});
