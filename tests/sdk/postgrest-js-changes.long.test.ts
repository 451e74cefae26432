// Updates and deletions of the published client, and the demands on writes: dry runs, at most so many rows,
// exactly one row.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { clientOf, type PublishedClient, serviceClientOf } from './support/published-client.js';
import { emptyShipyardSql, shipyardSql } from './support/shipyard.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: PublishedClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(shipyardSql);
  client = clientOf(project);
});
afterAll(() => deployment.close());
beforeEach(async () => {
  await project.sql(emptyShipyardSql);
  await project.sql(
    `insert into crew (ship_id, name, rank) values (1, 'Ida', 1), (1, 'Otto', 2), (2, 'Eva', 3)`,
  );
});

const names = async () =>
  (await project.sql('select name from crew order by id')).map(({ name }) => name);
const unchanged = ['Ida', 'Otto', 'Eva'];

describe('update', () => {
  test('changes the rows of its filters and gives nothing back', async () => {
    const { data, error, status } = await client.from('crew').update({ name: 'X' }).gt('rank', 1);
    expect([data, error, status]).toEqual([null, null, 200]);
    expect(await names()).toEqual(['Ida', 'X', 'X']);
  });

  test('with select gives the changed rows with their embeds', async () => {
    const { data } = await client
      .from('crew')
      .update({ rank: 9, ship_id: 2 })
      .eq('name', 'Ida')
      .select('rank, ships(name)');
    expect(data).toEqual([{ rank: 9, ships: { name: 'Beagle' } }]);
  });

  test('with a count says how many rows were changed', async () => {
    const { count } = await client
      .from('crew')
      .update({ rank: 0 }, { count: 'exact' })
      .eq('ship_id', 1);
    expect(count).toBe(2);
  });

  test('takes or, JSON and NULL', async () => {
    const papers = { a: [1, { b: null }] };
    const { data } = await client
      .from('crew')
      .update({ papers, rank: null })
      .or('name.eq.Ida,name.eq.Eva')
      .select('name, papers, rank');
    expect(data).toEqual([
      { name: 'Ida', papers, rank: null },
      { name: 'Eva', papers, rank: null },
    ]);
  });

  test('of nothing that matches is 404', async () => {
    const { error, status } = await client.from('crew').update({ rank: 1 }).eq('id', 99);
    expect(status).toBe(404);
    expect(error?.code).toBe('NO_ROWS_MATCHED');
  });

  test('with an empty object changes nothing', async () => {
    const { data, status } = await client.from('crew').update({}).eq('id', 1).select();
    expect([data, status]).toEqual([[], 200]);
  });

  test('of a column that is not there is refused', async () => {
    const { error } = await client.from('crew').update({ age: 1 }).eq('id', 1);
    expect(error?.code).toBe('PGRST204');
  });
});

describe('delete', () => {
  test('removes the rows of its filters and gives nothing back', async () => {
    const { data, error, status } = await client.from('crew').delete().eq('ship_id', 1);
    expect([data, error, status]).toEqual([null, null, 200]);
    expect(await names()).toEqual(['Eva']);
  });

  test('with select gives the rows that are gone', async () => {
    const { data } = await client.from('crew').delete().in('id', [1, 3]).select('id, ships(name)');
    expect(data).toEqual([
      { id: 1, ships: { name: 'Argo' } },
      { id: 3, ships: { name: 'Beagle' } },
    ]);
  });

  test('with a count says how many rows are gone', async () => {
    expect((await client.from('crew').delete({ count: 'exact' }).gt('rank', 1)).count).toBe(2);
  });

  test('of nothing that matches is no error', async () => {
    const { data, error, status } = await client.from('crew').delete().eq('id', 99).select();
    expect([data, error, status]).toEqual([[], null, 200]);
  });

  test('of a row that others refer to is 409', async () => {
    const { error, status } = await client.from('ships').delete().eq('id', 1);
    expect([error?.code, status]).toEqual(['23503', 409]);
  });
});

describe('a write without a filter', () => {
  test.each([
    { name: 'update', write: (it: PublishedClient) => it.from('crew').update({ rank: 0 }) },
    { name: 'delete', write: (it: PublishedClient) => it.from('crew').delete() },
  ])('$name is refused, but not with the secret key', async ({ write }) => {
    const refused = await write(client);
    expect([refused.status, refused.error?.code]).toEqual([400, 'UNFILTERED_WRITE']);
    expect(await names()).toEqual(unchanged);
    expect(await write(serviceClientOf(project))).toMatchObject({ status: 200, error: null });
  });
});

describe('rollback', () => {
  const rows = (it: PublishedClient) => it.from('crew');
  test.each([
    {
      name: 'of an insert',
      write: () => rows(client).insert({ name: 'New' }).select('name').rollback(),
      data: [{ name: 'New' }],
    },
    {
      name: 'of an upsert',
      write: () => rows(client).upsert({ id: 1, name: 'New' }).select('name').rollback(),
      data: [{ name: 'New' }],
    },
    {
      name: 'of an update',
      write: () => rows(client).update({ name: 'New' }).eq('id', 2).select('name').rollback(),
      data: [{ name: 'New' }],
    },
    {
      name: 'of a deletion',
      write: () => rows(client).delete().eq('id', 3).select('name').rollback(),
      data: [{ name: 'Eva' }],
    },
  ])('$name reports the rows and leaves the table as it was', async ({ write, data }) => {
    expect(await write()).toMatchObject({ error: null, data });
    expect(await names()).toEqual(unchanged);
  });
});

describe('maxAffected', () => {
  test.each([
    {
      name: 'an update of more rows is refused and changes none',
      write: () => client.from('crew').update({ name: 'X' }).eq('ship_id', 1).maxAffected(1),
    },
    {
      name: 'a deletion of more rows is refused and removes none',
      write: () => client.from('crew').delete().eq('ship_id', 1).maxAffected(1),
    },
  ])('$name', async ({ write }) => {
    const { data, error, status } = await write();
    expect([data, status, error?.code]).toEqual([null, 400, 'PGRST124']);
    expect(await names()).toEqual(unchanged);
  });

  test('as many rows as allowed are changed', async () => {
    const { error } = await client
      .from('crew')
      .update({ name: 'X' })
      .eq('ship_id', 1)
      .maxAffected(2);
    expect(error).toBeNull();
    expect(await names()).toEqual(['X', 'X', 'Eva']);
  });
});

describe('a write that should be of one row', () => {
  test.each([
    {
      name: 'an insert of two',
      write: () =>
        client
          .from('crew')
          .insert([{ name: 'a' }, { name: 'b' }])
          .select()
          .single(),
    },
    {
      name: 'an update of two',
      write: () => client.from('crew').update({ name: 'X' }).eq('ship_id', 1).select().single(),
    },
    {
      name: 'a deletion of none',
      write: () => client.from('crew').delete().eq('id', 99).select().single(),
    },
  ])('$name is 406 and writes nothing', async ({ write }) => {
    const { data, error, status } = await write();
    expect([data, status, error?.code]).toEqual([null, 406, 'PGRST116']);
    expect(await names()).toEqual(unchanged);
  });

  test('is given as an object', async () => {
    const { data } = await client
      .from('crew')
      .update({ rank: 4 })
      .eq('id', 3)
      .select('rank')
      .single();
    expect(data).toEqual({ rank: 4 });
    const maybe = await client.from('crew').delete().eq('id', 99).select('id').maybeSingle();
    expect(maybe).toMatchObject({ data: null, error: null, status: 200 });
  });
});
