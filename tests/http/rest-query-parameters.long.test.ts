// Spec, "Query parameters": every row of the table, and what stands beside it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table bulk (id int primary key);
    create policy everybody on bulk for select using (true);
    insert into bulk select generate_series(1, 1200);
    create function bulk_of() returns setof bulk stable language sql as 'select * from bulk';`);
});
afterAll(() => sky.close());

interface Row {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
}

interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly code: string;
}

const expectRows = async ({ path, body }: Row) => {
  const reply = await sky.get(path);
  expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body });
};
const expectRefusal = async ({ path, code }: Refusal) => {
  const reply = await sky.get(path);
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ code, status: 400 });
};

describe('select', () => {
  test.each<Row>([
    { name: 'columns', path: 'stars?select=name,id&id=eq.1', body: [{ name: 'Sun', id: 1 }] },
    {
      name: 'without it all columns',
      path: 'stars?id=eq.1',
      body: [{ id: 1, name: 'Sun', spectrum: 'G2V' }],
    },
    {
      name: 'a star is all columns',
      path: 'stars?select=*&id=eq.1',
      body: [{ id: 1, name: 'Sun', spectrum: 'G2V' }],
    },
    {
      name: 'aliases alias:column',
      path: 'stars?select=number:id,called:name&id=eq.1',
      body: [{ number: 1, called: 'Sun' }],
    },
    { name: 'casts column::type', path: 'stars?select=id::text&id=eq.1', body: [{ id: '1' }] },
    {
      name: 'an alias and a cast',
      path: 'stars?select=number:id::text&id=eq.1',
      body: [{ number: '1' }],
    },
    {
      name: 'a cast with the array marker',
      path: 'planets?select=colors::varchar[]&id=eq.2',
      body: [{ colors: ['yellow', 'white'] }],
    },
    {
      name: 'embedding',
      path: 'planets?select=name,stars(name)&id=eq.1',
      body: [{ name: 'Mercury', stars: { name: 'Sun' } }],
    },
  ])('$name', expectRows);

  test.each<Refusal>([
    { name: 'upper case', path: 'stars?select=id::TEXT', code: 'PGRST100' },
    { name: 'a quoted name', path: 'stars?select=id::"text"', code: 'PGRST100' },
    { name: 'a type modifier', path: 'stars?select=id::numeric(3,1)', code: 'PGRST100' },
    { name: 'a schema', path: 'stars?select=id::pg_catalog.text', code: 'PGRST100' },
    { name: 'two array markers', path: 'stars?select=id::text[][]', code: 'PGRST100' },
    { name: 'two words', path: 'stars?select=id::double%20precision', code: 'PGRST100' },
    { name: 'nothing', path: 'stars?select=id::', code: 'PGRST100' },
    { name: 'SQL', path: 'stars?select=id::text;drop%20table%20probes', code: 'PGRST100' },
  ])('a cast target is a bare lowercase type name, never $name', expectRefusal);

  test('a cast to a type that there is not is 400', async () => {
    const reply = await sky.get('stars?select=id::nonsense');
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'CAST_REFUSED' }]);
  });

  test.each<Refusal>([
    { name: 'an unknown column', path: 'stars?select=nothing', code: 'PGRST204' },
    { name: 'an empty item', path: 'stars?select=id,,name', code: 'PGRST100' },
    { name: 'an open parenthesis', path: 'planets?select=id,stars(id', code: 'PGRST100' },
  ])('$name is 400', expectRefusal);
});

describe('order', () => {
  test.each([
    { name: 'field.asc', path: 'planets?order=mass.asc&mass=not.is.null', ids: [1, 2, 3, 5, 4] },
    { name: 'field.desc', path: 'planets?order=mass.desc&mass=not.is.null', ids: [4, 5, 3, 2, 1] },
    { name: 'asc where no direction is given', path: 'planets?order=id', ids: [1, 2, 3, 4, 5, 6] },
    {
      name: 'comma separated',
      path: 'planets?order=kind.desc,id.desc&id=lt.6',
      ids: [5, 3, 2, 1, 4],
    },
    { name: '.nullsfirst', path: 'planets?order=mass.asc.nullsfirst', ids: [6, 1, 2, 3, 5, 4] },
    { name: '.nullslast', path: 'planets?order=mass.desc.nullslast', ids: [4, 5, 3, 2, 1, 6] },
    {
      name: 'nulls without a direction',
      path: 'planets?order=mass.nullsfirst',
      ids: [6, 1, 2, 3, 5, 4],
    },
    { name: 'nulls come last ascending', path: 'planets?order=mass', ids: [1, 2, 3, 5, 4, 6] },
    {
      name: 'nulls come first descending',
      path: 'planets?order=mass.desc',
      ids: [6, 4, 5, 3, 2, 1],
    },
    {
      name: 'a way into JSON',
      path: 'planets?order=extra->moons.desc,id&id=lt.5',
      ids: [4, 3, 1, 2],
    },
  ])('$name', async ({ path, ids }) => {
    expect(await sky.idsOf(path)).toEqual(ids);
  });

  test.each<Refusal>([
    { name: 'an unknown direction', path: 'planets?order=id.upwards', code: 'PGRST100' },
    { name: 'an unknown column', path: 'planets?order=nothing', code: 'PGRST204' },
    { name: 'an empty item', path: 'planets?order=id,', code: 'PGRST100' },
  ])('$name is 400', expectRefusal);
});

describe('limit and offset', () => {
  afterEach(() => sky.saveSettings());

  test.each([
    { name: 'limit is the most records', path: 'planets?order=id&limit=2', ids: [1, 2] },
    { name: 'offset skips records', path: 'planets?order=id&offset=4', ids: [5, 6] },
    { name: 'both together', path: 'planets?order=id&limit=2&offset=1', ids: [2, 3] },
    { name: 'an offset behind the end', path: 'planets?order=id&offset=60', ids: [] },
    { name: 'limit=0 reads nothing', path: 'planets?limit=0', ids: [] },
  ])('$name', async ({ path, ids }) => {
    expect(await sky.idsOf(path)).toEqual(ids);
  });

  test('when limit is omitted the server returns up to api.rest.maxRows, 1000 by default', async () => {
    const all = await sky.get('bulk?order=id');
    expect(all.body).toHaveLength(1_000);
    expect(all.headers['content-range']).toBe('0-999/*');
    await sky.saveSettings({ maxRows: 7 });
    const seven = await sky.get('bulk?order=id', { prefer: 'count=exact' });
    expect(seven.body).toHaveLength(7);
    expect(seven.headers['content-range']).toBe('0-6/1200');
  });

  test('one number governs the default and the ceiling', async () => {
    expect((await sky.get('bulk?limit=1100')).body).toHaveLength(1_000);
    await sky.saveSettings({ maxRows: 3 });
    expect((await sky.get('bulk?limit=2')).body).toHaveLength(2);
    expect((await sky.get('bulk?limit=4')).body).toHaveLength(3);
    expect((await sky.get('bulk', { range: '0-9' })).headers['content-range']).toBe('0-2/*');
  });

  test('it governs the rows of a function too', async () => {
    expect((await sky.get('rpc/bulk_of')).body).toHaveLength(1_000);
    await sky.saveSettings({ maxRows: 3 });
    expect((await sky.get('rpc/bulk_of?limit=4')).body).toHaveLength(3);
    expect((await sky.send('POST', 'rpc/bulk_of', { body: {} })).body).toHaveLength(3);
  });

  test('the parser caps the setting at 1000', async () => {
    await sky.saveSettings({ maxRows: 5_000 });
    expect((await sky.get('bulk')).body).toHaveLength(1_000);
  });

  test('the ceiling holds for every to-many embed and not for the representation of a write', async () => {
    await sky.saveSettings({ maxRows: 2 });
    const embeds = await sky.get('planets?select=id,moons(id)&id=eq.4&moons.order=id');
    expect(embeds.body).toEqual([{ id: 4, moons: [{ id: 2 }, { id: 3 }] }]);
    const body = [1, 2, 3, 4].map((id) => ({ id }));
    const headers = { prefer: 'return=representation,tx=rollback' };
    expect((await sky.send('POST', 'probes', { body, headers })).body).toHaveLength(4);
  });
});

describe('<relation>.limit and the like', () => {
  test.each<Row>([
    {
      name: 'a limit on an embedded relation is <relation>.limit',
      path: 'planets?select=id,moons(id)&id=in.(3,4)&order=id&moons.order=id&moons.limit=1',
      body: [
        { id: 3, moons: [{ id: 1 }] },
        { id: 4, moons: [{ id: 2 }] },
      ],
    },
    {
      name: 'likewise order',
      path: 'planets?select=id,moons(id)&id=eq.4&moons.order=radius.desc',
      body: [{ id: 4, moons: [{ id: 4 }, { id: 3 }, { id: 2 }] }],
    },
    {
      name: 'likewise offset',
      path: 'planets?select=id,moons(id)&id=eq.4&moons.order=id&moons.offset=2',
      body: [{ id: 4, moons: [{ id: 4 }] }],
    },
    {
      name: 'likewise a filter',
      path: 'planets?select=id,moons(id)&id=eq.4&moons.radius=gt.700&moons.order=id',
      body: [{ id: 4, moons: [{ id: 3 }, { id: 4 }] }],
    },
  ])('$name', expectRows);
});

describe('everything else is a column filter', () => {
  test('?<field>=<op>.<value>', () =>
    expectRows({ name: '', path: 'stars?select=id&name=eq.Vega', body: [{ id: 3 }] }));

  test.each<Refusal>([
    { name: 'an unknown field', path: 'stars?nothing=eq.1', code: 'PGRST204' },
    { name: 'an unknown operator', path: 'stars?id=equals.1', code: 'PGRST100' },
    { name: 'no operator', path: 'stars?id=1', code: 'PGRST100' },
  ])('$name is 400', expectRefusal);
});

describe('on_conflict and columns', () => {
  beforeEach(() => sky.setProbes(`(1, 'Voyager', 4, 10, 17)`));
  const merge = { prefer: 'resolution=merge-duplicates' };

  test('on_conflict is the upsert conflict target', async () => {
    const body = { name: 'Voyager', fuel: 3 };
    const reply = await sky.send('POST', 'probes?on_conflict=name', { body, headers: merge });
    expect(reply.status).toBe(201);
    expect(await sky.probes()).toEqual([{ id: 1, name: 'Voyager', fuel: 3 }]);
  });

  test('on_conflict defaults to the primary key', async () => {
    const reply = await sky.send('POST', 'probes', { body: { id: 1, fuel: 4 }, headers: merge });
    expect(reply.status).toBe(201);
    expect(await sky.probes()).toEqual([{ id: 1, name: 'Voyager', fuel: 4 }]);
    const other = await sky.send('POST', 'probes', {
      body: { id: 2, name: 'Voyager' },
      headers: merge,
    });
    expect([other.status, other.body]).toMatchObject([409, { code: '23505' }]);
  });

  test('columns restricts the columns an insert reads from the body', async () => {
    const body = { id: 2, name: 'Juno', fuel: 1, nothing: 'ignored' };
    const reply = await sky.send('POST', 'probes?columns=id,name', { body });
    expect(reply.status).toBe(201);
    expect(await sky.probes('id, name, fuel')).toContainEqual({ id: 2, name: 'Juno', fuel: 100 });
  });

  test('without columns an unknown key of the body is 400 and nothing is written', async () => {
    const reply = await sky.send('POST', 'probes', { body: { id: 2, nothing: 1 } });
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'PGRST204' }]);
    expect(await sky.probes('id')).toEqual([{ id: 1 }]);
  });
});
