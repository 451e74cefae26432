// `GET /api/admin/schema/tables/:table` and `/functions/:id`: what one table or function has beside the list.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

type Fields = Record<string, unknown>;
const path = '/api/admin/schema';
let deployment: Deployment;
let project: ProjectUnderTest;
let details: Fields;

const read = (query: string) => project.asService({ path: `${path}/${query}` });

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table notes (
      id int primary key,
      title text constraint title_once unique,
      size int constraint size_positive check (size > 0),
      owner text default auth.uid(),
      parent int references notes
    );
    create index by_size on notes (size desc) where size > 10;
    create function touch() returns trigger language plpgsql as 'begin return new; end';
    create trigger touched before update on notes for each row execute function touch();
    create trigger off_now after delete on notes execute function touch();
    alter table notes disable trigger off_now;
    create policy own on notes for update to authenticated
      using (owner = auth.uid()) with check (owner = auth.uid());
    create policy all_of_it on notes as restrictive using (size < 1000);
    comment on policy own on notes is 'Their own';
    alter table notes force row level security;
    revoke insert, delete on notes from anon;
    create table "Odd ""name""" (id int);
    create table parts (id int primary key) partition by range (id);
    create table parts_1 partition of parts for values from (0) to (100);
    create view all_notes as select * from notes;
    create table refers (note int constraint note_of references notes, title text);
    create function sizes(of notes) returns int language sql begin atomic select (of).size; end;
    create schema other;
    create table other.notes (id int);
    create function add(a int) returns int language sql as $$ select a + 1 $$;
    create aggregate total(int) (sfunc = int4pl, stype = int);
    revoke execute on function add(int) from public, anon;
    grant execute on function add(int) to authenticated;`);
  details = asRecord((await read('tables/notes')).body);
}, 60_000);
afterAll(() => deployment.close());

/** A session of the owner of the project, ended with its scope. */
async function openOwner(): Promise<AsyncDisposable & { readonly client: pg.Client }> {
  const client = new pg.Client(project.databaseUrl);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

test('indexes have the statement that makes them', () => {
  const usual = { isUnique: true, isPrimary: false, isValid: true };
  expect(details['indexes']).toEqual([
    {
      ...usual,
      name: 'by_size',
      definition: 'CREATE INDEX by_size ON public.notes USING btree (size DESC) WHERE (size > 10)',
      isUnique: false,
    },
    {
      ...usual,
      name: 'notes_pkey',
      definition: 'CREATE UNIQUE INDEX notes_pkey ON public.notes USING btree (id)',
      isPrimary: true,
    },
    {
      ...usual,
      name: 'title_once',
      definition: 'CREATE UNIQUE INDEX title_once ON public.notes USING btree (title)',
    },
  ]);
});

test('uniques and checks have their definition', () => {
  expect(details['uniques']).toEqual([{ name: 'title_once', definition: 'UNIQUE (title)' }]);
  expect(details['checks']).toEqual([{ name: 'size_positive', definition: 'CHECK ((size > 0))' }]);
});

test('triggers of the project alone are listed, switched on or off', () => {
  expect(details['triggers']).toEqual([
    {
      name: 'off_now',
      definition:
        'CREATE TRIGGER off_now AFTER DELETE ON public.notes FOR EACH STATEMENT EXECUTE FUNCTION public.touch()',
      isEnabled: false,
    },
    {
      name: 'touched',
      definition:
        'CREATE TRIGGER touched BEFORE UPDATE ON public.notes FOR EACH ROW EXECUTE FUNCTION public.touch()',
      isEnabled: true,
    },
  ]);
});

test('policies have their command, roles and expressions', () => {
  expect(details['policies']).toEqual([
    {
      name: 'all_of_it',
      command: 'all',
      roles: ['public'],
      isPermissive: false,
      using: '(size < 1000)',
      check: null,
      comment: null,
    },
    {
      name: 'own',
      command: 'update',
      roles: ['authenticated'],
      isPermissive: true,
      using: '(owner = auth.uid())',
      check: '(owner = auth.uid())',
      comment: 'Their own',
    },
  ]);
  expect(details).toMatchObject({ hasRls: true, isRlsForced: true });
});

test('grants are what each role of requests may do', () => {
  const grants = asRecord(details['grants']);
  expect(grants['anon']).toEqual(['select', 'update']);
  expect(grants['service_role']).toEqual(
    expect.arrayContaining(['select', 'insert', 'update', 'delete']),
  );
});

test('what depends on the table is named, with the columns that it needs', () => {
  const dependents = details['dependents'] as Fields[];
  const of = (object: string) => dependents.find((each) => each['object'] === object);
  expect(of('view public.all_notes')).toEqual({
    object: 'view public.all_notes',
    columns: ['id', 'owner', 'parent', 'size', 'title'],
    heldColumns: ['id', 'owner', 'parent', 'size', 'title'],
    isOwn: false,
  });
  expect(of('constraint note_of on table public.refers')).toMatchObject({
    columns: ['id'],
    isOwn: false,
  });
  expect(of('index public.by_size')).toMatchObject({ columns: ['size'], heldColumns: [] });
  expect(of('policy own on table public.notes')).toMatchObject({
    heldColumns: ['owner'],
    isOwn: true,
  });
  expect(of('constraint notes_parent_fkey on table public.notes')?.['isOwn']).toBe(true);
  expect(of('function public.sizes(public.notes)')).toMatchObject({ isOwn: false });
  expect(JSON.stringify(dependents)).not.toMatch(
    /rowhouse|pg_toast|capture|not_null|default value/,
  );
});

test('the size is that of table and indexes', () => {
  expect(details['tableBytes']).toBeGreaterThan(0);
  expect(details['indexBytes']).toBe(3 * 8192);
});

test.each([
  {
    name: 'a name in quotes',
    query: `tables/${encodeURIComponent('Odd "name"')}`,
    schema: 'public',
  },
  { name: 'a view', query: 'tables/all_notes', schema: 'public' },
  { name: 'a partitioned table', query: 'tables/parts', schema: 'public' },
  { name: 'a table of another schema', query: 'tables/notes?schema=other', schema: 'other' },
])('$name has its details', async ({ query, schema }) => {
  const reply = await read(query);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ schema, policies: [], triggers: [] });
});

test('a function has its definition and who may call it', async () => {
  const functions = asRecord((await project.asService({ path })).body)['functions'] as Fields[];
  const idOf = (name: string) => String(functions.find((each) => each['name'] === name)?.['id']);
  const reply = await read(`functions/${idOf('add')}`);
  expect(reply.body).toMatchObject({
    id: idOf('add'),
    name: 'add',
    arguments: 'a integer',
    language: 'sql',
    grantedTo: expect.arrayContaining(['authenticated']) as string[],
  });
  expect(String(asRecord(reply.body)['grantedTo'])).not.toContain('anon');
  const definition = String(asRecord(reply.body)['definition']);
  expect(definition).toContain('CREATE OR REPLACE FUNCTION public.add(a integer)');
  await project.sql(definition);
  expect((await read(`functions/${idOf('total')}`)).body).toMatchObject({ definition: null });
});

test('a table that a change keeps locked is listed without sizes', async () => {
  await using owner = await openOwner();
  await owner.client.query('begin; lock table notes in access exclusive mode');
  const { tables } = asRecord((await project.asService({ path })).body);
  expect(tables).toContainEqual(expect.objectContaining({ name: 'notes', bytes: null }));
  const reply = await read('tables/notes');
  expect([reply.status, asRecord(reply.body)['code']]).toEqual([409, 'CONCURRENT_CHANGE']);
});

test.each([
  { name: 'a schema of the platform', query: '?schema=auth', status: 400, code: 'INVALID_INPUT' },
  { name: 'the catalog', query: '?schema=pg_catalog', status: 400, code: 'INVALID_INPUT' },
  {
    name: 'information_schema',
    query: '?schema=information_schema',
    status: 400,
    code: 'INVALID_INPUT',
  },
  { name: 'temporary tables', query: '?schema=pg_temp', status: 400, code: 'INVALID_INPUT' },
  {
    name: 'a schema that is not there',
    query: '?schema=none',
    status: 404,
    code: 'SCHEMA_NOT_FOUND',
  },
  { name: 'an empty name', query: '?schema=', status: 400, code: 'INVALID_INPUT' },
  {
    name: 'a name that is too long',
    query: `?schema=${'x'.repeat(64)}`,
    status: 400,
    code: 'INVALID_INPUT',
  },
  { name: 'an unknown parameter', query: '?scheme=public', status: 400, code: 'UNKNOWN_FIELD' },
  { name: 'a table that is not there', query: '/tables/none', status: 404, code: 'PGRST205' },
  {
    name: 'a table of the platform',
    query: '/tables/user?schema=auth',
    status: 400,
    code: 'INVALID_INPUT',
  },
  { name: 'an index as a table', query: '/tables/by_size', status: 404, code: 'PGRST205' },
  {
    name: 'a script as a table',
    query: `/tables/${encodeURIComponent("x'; drop table notes; --")}`,
    status: 404,
    code: 'PGRST205',
  },
  {
    name: 'a name as the id of a function',
    query: '/functions/add',
    status: 400,
    code: 'INVALID_INPUT',
  },
  {
    name: 'a number beyond the ids',
    query: '/functions/9999999999',
    status: 400,
    code: 'INVALID_INPUT',
  },
  {
    name: 'a function of PostgreSQL',
    query: '/functions/1299',
    status: 404,
    code: 'FUNCTION_NOT_FOUND',
  },
])('$name is refused', async ({ query, status, code }) => {
  const reply = await project.asService({ path: path + query });
  expect([reply.status, asRecord(reply.body)['code']]).toEqual([status, code]);
  if (status === 400) expect(reply.text).toMatch(/schema|scheme|id/);
});
