// Calls of database functions by our client: what they answer, how they are sent, and other schemas.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: OwnClient;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
});
beforeEach(() => workbench.empty());
afterAll(() => workbench.close());

const lastMethod = () => workbench.gateway.received.at(-1)?.method;

describe.each([
  { method: 'POST', options: {} },
  { method: 'GET', options: { get: true } },
])('a call by $method', ({ method, options }) => {
  const cases: readonly {
    readonly name: string;
    readonly call: () => PromiseLike<{ data: unknown; error: unknown }>;
    readonly data: unknown;
  }[] = [
    {
      name: 'of a scalar is its value',
      call: () => client.rpc('add', { a: 1, b: 2 }, options),
      data: 3,
    },
    {
      name: 'leaves an argument to its default',
      call: () => client.rpc('add', { a: 1 }, options),
      data: 11,
    },
    {
      name: 'finds the overload by the names of arguments',
      call: () => client.rpc('add', { a: 'x', b: 'y', c: 'eq.z' }, options),
      data: 'xyeq.z',
    },
    {
      name: 'takes a list',
      call: () => client.rpc('sum_of', { numbers: [1, 2, 3] }, options),
      data: 6,
    },
    {
      name: 'takes an object',
      call: () => client.rpc('street_of', { person: { address: { street: 'Elm, 5' } } }, options),
      data: 'Elm, 5',
    },
    {
      name: 'of JSON, without arguments',
      call: () => client.rpc('caller', {}, options),
      data: { role: 'anon', user: null },
    },
    {
      name: 'of one row is an object',
      call: () => client.rpc('earth', {}, options).select('id, name'),
      data: { id: 2, name: 'Earth' },
    },
    {
      name: 'of a set of scalars is a list',
      call: () => client.rpc('moon_names', {}, options).limit(2),
      data: ['Luna', 'Phobos'],
    },
    {
      name: 'of a set of rows is filtered, ordered, cut, embedded and chosen from',
      call: () =>
        client
          .rpc('planets_of', { star: 1 }, options)
          .select('name, stars(name)')
          .gt('mass', 0.1)
          .order('mass', { ascending: false })
          .range(1, 2),
      data: [
        { name: 'Earth', stars: { name: 'Sun' } },
        { name: 'Mars', stars: { name: 'Sun' } },
      ],
    },
    {
      name: 'gives one row of a set with single',
      call: () => client.rpc('planets_of', { star: 3 }, options).select('id').single(),
      data: { id: 5 },
    },
    {
      name: 'gives the first row of a set with maybeSingle',
      call: () =>
        client.rpc('planets_of', { star: 1 }, options).order('id').select('id').maybeSingle(),
      data: { id: 1 },
    },
    {
      name: 'gives null for no row with maybeSingle',
      call: () => client.rpc('planets_of', { star: 99 }, options).maybeSingle(),
      data: null,
    },
    {
      name: 'of void is null',
      call: () => client.rpc('nothing', {}, options),
      data: null,
    },
    {
      name: 'as csv',
      call: () => client.rpc('planets_of', { star: 3 }, options).select('id, name').csv(),
      data: expect.stringMatching(/^id,name\r?\n5,Proxima b\r?\n$/),
    },
  ];
  test.each(cases)('$name', async ({ call, data }) => {
    const answer = await call();
    expect(answer.error).toBeNull();
    expect(answer.data).toEqual(data);
    expect(lastMethod()).toBe(method);
  });

  test('fills the count of a set', async () => {
    const rows = client.rpc('planets_of', { star: 1 }, { ...options, count: 'exact' });
    expect(await rows.select('id').order('id').limit(1)).toMatchObject({
      data: [{ id: 1 }],
      count: 4,
    });
  });
});

test('head asks for the count alone', async () => {
  const head = client.rpc('planets_of', { star: 1 }, { head: true, count: 'exact' });
  expect(await head).toMatchObject({ data: null, error: null, count: 4, status: 200 });
  expect(lastMethod()).toBe('HEAD');
});

describe('a function that writes', () => {
  const orders = () => workbench.project.sql('select id::int, customer from orders order by id');

  test('is called by POST, once', async () => {
    const { data } = await client.rpc('place_order', { customer: 'Ada' }).select('id, customer');
    expect(data).toEqual({ id: 1, customer: 'Ada' });
    expect(await orders()).toEqual([{ id: 1, customer: 'Ada' }]);
  });

  test('is refused by GET and taken back by rollback', async () => {
    const { error } = await client.rpc('place_order', { customer: 'Ada' }, { get: true });
    expect(error).toMatchObject({ status: 405, code: '25006' });
    const dry = client.rpc('place_order', { customer: 'Ada' }).rollback();
    expect((await dry).data).toMatchObject({ customer: 'Ada' });
    expect(await orders()).toEqual([]);
  });
});

describe('errors', () => {
  test('of the function itself', async () => {
    expect((await client.rpc('refuse')).error).toMatchObject({
      message: 'out of ink',
      status: 400,
      code: 'P0001',
      details: 'the pen is dry',
      hint: 'refill it',
    });
  });

  test('of arguments that no overload takes', async () => {
    const untyped = workbench.untypedClient();
    for (const args of [{ a: 1, z: 2 }, {}, { b: 1 }]) {
      expect((await untyped.rpc('add', args)).error).toMatchObject({
        status: 404,
        code: 'PGRST202',
      });
    }
    expect((await untyped.rpc('absent')).error).toMatchObject({ status: 404, code: 'PGRST202' });
  });

  test('of an argument that is null in a GET, before anything is sent', () => {
    const before = workbench.gateway.received.length;
    expect(() => workbench.untypedClient().rpc('add', { a: null }, { get: true })).toThrow(
      TypeError,
    );
    expect(workbench.gateway.received).toHaveLength(before);
  });
});

describe('schema', () => {
  const double = (options = {}) => client.schema('tools').rpc('double', { n: 21 }, options);
  const save = async (functionSchemas: readonly string[]) => {
    const path = '/api/admin/settings/api.rest';
    const { project } = workbench;
    const reply = await project.asService({ method: 'PUT', path, body: { functionSchemas } });
    expect(reply.status).toBe(200);
  };

  test.each(['tools', 'auth', 'pg_catalog', 'absent'])(
    '%s is not exposed: PGRST106',
    async (name) => {
      const { error } = await client.schema(name).rpc('double', { n: 21 });
      expect(error).toMatchObject({ status: 406, code: 'PGRST106' });
    },
  );

  test('that an operator exposes is called, with rows of tables in public', async () => {
    await save(['tools']);
    try {
      expect((await double()).data).toBe(42);
      expect((await double({ get: true })).data).toBe(42);
      const above = client.schema('tools').rpc('planets_above', { mass: 1 });
      expect((await above.select('name, stars(name)').order('name')).data).toEqual([
        { name: 'Jupiter', stars: { name: 'Sun' } },
        { name: 'Proxima b', stars: { name: 'Proxima' } },
      ]);
    } finally {
      await save([]);
    }
    expect((await double()).error).toMatchObject({ code: 'PGRST106' });
  });

  test('public is the schema of the client, and no other can be', async () => {
    expect((await client.schema('public').rpc('add', { a: 1 })).data).toBe(11);
    expect(() => workbench.client(undefined, { db: { schema: 'tools' } })).toThrow(TypeError);
  });
});
