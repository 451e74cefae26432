// What holds for every request of the published client: counts, pages, schemas, callers and error
// objects.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { observatorySql } from './support/observatory.js';
import { clientOf, type PublishedClient, serviceClientOf } from './support/published-client.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: PublishedClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(observatorySql);
  await project.sql(`
    create table letters (id int primary key, owner text default auth.uid(), text text);
    create policy own on letters to authenticated using (owner = (select auth.uid()));
    create view big_planets as select * from planets where mass > 1;
    create table session (id int primary key);
    create function one() returns int immutable language sql as 'select 1';
    create schema tools;
    create function tools.double(n int) returns int immutable language sql as 'select 2 * n';
    grant usage on schema tools to anon, authenticated, service_role;
    analyze planets;`);
  client = clientOf(project);
});
afterAll(() => deployment.close());

describe('count', () => {
  test.each([
    { count: 'exact', rows: 6 },
    { count: 'planned', rows: 6 },
    { count: 'estimated', rows: 6 },
  ])('$count beside a page', async ({ count, rows }) => {
    const reply = await client.from('planets').select('id', { count }).limit(2);
    expect(reply.data).toHaveLength(2);
    expect(reply.count).toBe(rows);
  });

  test('with head reads no row', async () => {
    const { data, error, status, count } = await client
      .from('planets')
      .select('*', { count: 'exact', head: true })
      .eq('star_id', 1);
    expect([data, error, status, count]).toEqual([null, null, 200, 4]);
  });

  test('is absent when nobody asks', async () => {
    expect((await client.from('planets').select()).count).toBeNull();
  });

  test('of no rows is zero', async () => {
    const { data, count } = await client
      .from('planets')
      .select('id', { count: 'exact' })
      .eq('id', 99);
    expect([data, count]).toEqual([[], 0]);
  });
});

describe('pages', () => {
  const ids = async (rows: PromiseLike<{ readonly data: unknown }>) => (await rows).data;
  const planets = () => client.from('planets').select('id').order('id');

  test('order by two columns, descending and ascending', async () => {
    const rows = client
      .from('planets')
      .select('id')
      .order('has_rings', { ascending: false, nullsFirst: false })
      .order('id', { ascending: false });
    expect(await ids(rows)).toEqual([4, 3, 2, 1, 6, 5].map((id) => ({ id })));
  });

  test('range has both ends', async () => {
    expect(await ids(planets().range(1, 2))).toEqual([{ id: 2 }, { id: 3 }]);
  });

  test('limit 0 is no row', async () => {
    expect(await ids(planets().limit(0))).toEqual([]);
  });

  test('range behind the last row is empty without a count, and 416 with one', async () => {
    expect(await ids(planets().range(50, 60))).toEqual([]);
    const counted = await client.from('planets').select('id', { count: 'exact' }).range(50, 60);
    expect([counted.status, counted.error?.code]).toEqual([416, 'PGRST103']);
  });
});

describe('schema', () => {
  test('public is there for reads, writes and functions', async () => {
    const it = client.schema('public');
    expect((await it.from('planets').select('id').eq('id', 1)).status).toBe(200);
    expect((await it.rpc('one')).data).toBe(1);
  });

  test.each([
    {
      name: 'a read',
      call: (it: PublishedClient) => it.schema('private').from('planets').select(),
    },
    {
      name: 'a write',
      call: (it: PublishedClient) => it.schema('private').from('planets').delete().eq('id', 1),
    },
    {
      name: 'a function',
      call: (it: PublishedClient) => it.schema('tools').rpc('double', { n: 1 }),
    },
  ])('another one is 406 PGRST106 for $name', async ({ call }) => {
    const { data, error, status } = await call(client);
    expect([data, status, error?.code]).toEqual([null, 406, 'PGRST106']);
  });

  test('with functions is reached once the setting lists it, and has no tables', async () => {
    const save = (functionSchemas: readonly string[]) =>
      project.asService({
        method: 'PUT',
        path: '/api/admin/settings/api.rest',
        body: { functionSchemas },
      });
    await save(['tools']);
    await project.sql('grant execute on all functions in schema tools to anon');
    const tools = client.schema('tools');
    expect((await tools.rpc('double', { n: 21 })).data).toBe(42);
    expect((await tools.rpc('double', { n: 21 }, { get: true })).data).toBe(42);
    expect((await tools.from('planets').select()).error?.code).toBe('PGRST106');
    await save([]);
  });
});

describe('errors', () => {
  type Answer = PromiseLike<{ readonly error: unknown; readonly status: number }>;
  const cases: readonly {
    readonly name: string;
    readonly call: (it: PublishedClient) => Answer;
    readonly status: number;
    readonly code: string;
  }[] = [
    {
      name: 'an unknown table',
      call: (it) => it.from('comets').select(),
      status: 404,
      code: 'PGRST205',
    },
    {
      name: 'a view',
      call: (it) => it.from('big_planets').select(),
      status: 404,
      code: 'PGRST205',
    },
    {
      name: 'a table with the name of a managed one',
      call: (it) => it.from('session').select(),
      status: 404,
      code: 'PGRST205',
    },
    {
      name: 'an unknown column in a filter',
      call: (it) => it.from('planets').select().eq('age', 1),
      status: 400,
      code: 'PGRST204',
    },
    {
      name: 'an unknown operator',
      call: (it) => it.from('planets').select().filter('id', 'near', 1),
      status: 400,
      code: 'PGRST100',
    },
    {
      name: 'an unclosed logic tree',
      call: (it) => it.from('planets').select().or('id.eq.1,and(id.eq.2'),
      status: 400,
      code: 'PGRST100',
    },
    {
      name: 'a value of the wrong type',
      call: (it) => it.from('planets').select().eq('id', 'one'),
      status: 400,
      code: '22P02',
    },
    {
      name: 'contains on a scalar',
      call: (it) => it.from('planets').select().contains('mass', ['1']),
      status: 400,
      code: '42883',
    },
    {
      name: 'an order by an embed that is missing',
      call: (it) => it.from('planets').select('id').order('stars(name)'),
      status: 400,
      code: 'PGRST108',
    },
    {
      name: 'an unknown count',
      call: (it) => it.from('planets').select('id', { count: 'roughly' }),
      status: 400,
      code: 'PGRST122',
    },
    {
      name: 'a write that no policy allows',
      call: (it) => it.from('letters').insert({ id: 1, text: 'x' }),
      status: 403,
      code: '42501',
    },
  ];
  test.each(cases)('$name is $status $code', async ({ call, ...refusal }) => {
    const { error, status } = await call(client);
    expect(status).toBe(refusal.status);
    expect(error).toMatchObject({ code: refusal.code, message: expect.any(String) });
  });

  test('throwOnError throws the same as an error object', async () => {
    const thrown: unknown = await client
      .from('comets')
      .select()
      .throwOnError()
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toMatchObject({ name: 'PostgrestError', code: 'PGRST205' });
  });

  test('a denial by a policy has one fixed sentence', async () => {
    const { error } = await client.from('letters').insert({ id: 1 });
    expect(error?.message).toBe('You do not have permission to perform this action.');
  });

  test('a near miss is hinted at', async () => {
    expect((await client.from('planet').select()).error?.hint).toContain('planets');
  });
});

describe('callers', () => {
  test('a session writes and sees what is its own; others do not see it', async () => {
    const ada = await project.signUp('ada@example.org');
    const eve = await project.signUp('eve@example.org');
    const letters = (token: string) => clientOf(project, { token }).from('letters');
    const made = await letters(ada.token).insert({ id: 1, text: 'hi' }).select('owner').single();
    expect(made.data).toEqual({ owner: ada.id });
    expect((await letters(eve.token).select()).data).toEqual([]);
    expect((await letters(eve.token).update({ text: 'x' }).eq('id', 1)).status).toBe(404);
    expect((await letters(eve.token).delete().eq('id', 1).select()).data).toEqual([]);
    expect((await letters(ada.token).select('text')).data).toEqual([{ text: 'hi' }]);
  });

  test('the secret key sees everything, or what the user sees whom it stands for', async () => {
    const otto = await project.signUp('otto@example.org');
    await project.sql(`insert into letters values (8, $1, 'mine'), (9, 'nobody', 'hidden')`, [
      otto.id,
    ]);
    const ids = (headers: Record<string, string> = {}) =>
      serviceClientOf(project, { headers }).from('letters').select('id').gte('id', 8).order('id');
    expect((await ids()).data).toEqual([{ id: 8 }, { id: 9 }]);
    expect((await ids({ 'x-service-impersonate': otto.id })).data).toEqual([{ id: 8 }]);
    expect((await ids({ 'x-service-impersonate': 'anon' })).data).toEqual([]);
  });
});

describe('getOpenApiSpec', () => {
  test('describes the tables and functions of the project', async () => {
    const { data, error, status } = await client.getOpenApiSpec();
    expect([error, status]).toEqual([null, 200]);
    const paths = Object.keys(data?.paths ?? {});
    expect(paths).toEqual(expect.arrayContaining(['/planets', '/rpc/one']));
    expect(paths).not.toContain('/session');
  });
});
