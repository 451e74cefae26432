import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact } from './embed-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase(
    'paths',
    `create type address as (street text, zip int, tags text[]);
     create domain facts as jsonb;
     create table docs (
       id int primary key, data jsonb, raw json, sure facts, tags text[], grid int[][], home address,
       homes address[]
     );
     insert into docs values
      (1, '{"a": {"b": [10, 20]}, "c": [1,2,3], "s": "x", "1": "one", "k''q\\\\": 7, "ä.ö": 8, "n": null}',
          '{"a": [{"deep": "yes"}], "t": 5}', '{"f": true}', '{red,green}', '{{1,2},{3,4}}',
          '(Road,123,"{p,q}")', array[row('A', 1, null)::address]),
      (2, '{"a": {"b": []}, "c": [1,2], "s": "y"}', '{"t": 40}', '{"f": false}', '{blue}', null, null, null),
      (3, null, null, null, null, null, null, null);`,
  );
});

afterAll(() => database.close());

const encoded = encodeURIComponent;

describe('select', () => {
  test.each([
    { select: 'data->a', body: '{"a":{"b":[10,20]}}' },
    { select: 'data->a->b->0', body: '{"b":10}' },
    { select: 'data->a->b->>1', body: '{"b":"20"}' },
    { select: 'data->c->-1', body: '{"c":3}' },
    { select: 'data->>s', body: '{"s":"x"}' },
    { select: 'data->s,x:data->s', body: '{"s":"x","x":"x"}' },
    { select: 'data->c->0::text', body: '{"c":"1"}' },
    { select: 'data->>nothing', body: '{"nothing":null}' },
    { select: 'data->n', body: '{"n":null}' },
    { select: 'raw->a->0->>deep', body: '{"deep":"yes"}' },
    { select: 'raw->t', body: '{"t":5}' },
    { select: 'sure->f', body: '{"f":true}' },
    { select: 'tags->0', body: '{"tags":"red"}' },
    { select: 'tags->>-1', body: '{"tags":"green"}' },
    { select: 'grid->1->0', body: '{"grid":3}' },
    { select: 'home->street', body: '{"street":"Road"}' },
    { select: 'home->>zip', body: '{"zip":"123"}' },
    { select: 'home->tags->1', body: '{"tags":"q"}' },
    { select: 'homes->0->>street', body: '{"street":"A"}' },
    { select: 'data->a->""', body: '{"a":null}' },
    { select: 'data->ä.ö', body: '{"ä.ö":8}' },
    { select: `data->k'q\\`, body: String.raw`{"k'q\\":7}` },
  ])('$select', async ({ select, body }) => {
    const text = await database.get('docs', `select=${encoded(select)}&id=eq.1`);
    expect(compact(text)).toBe(`[${body}]`);
  });
});

describe('filters', () => {
  test.each([
    { filter: 'data->a->b=eq.[10, 20]', ids: [1] },
    { filter: 'data->c=eq.[1,2,3]', ids: [1] },
    { filter: 'data->c->0=eq.1', ids: [1, 2] },
    { filter: 'data->c->2=gt.2', ids: [1] },
    { filter: 'data->c=cs.[3]', ids: [1] },
    { filter: 'data->>s=eq.x', ids: [1] },
    { filter: 'data->>s=in.(x,y)', ids: [1, 2] },
    { filter: 'data->>s=like.*', ids: [1, 2] },
    { filter: 'data->>s=is.null', ids: [3] },
    { filter: 'data->>n=is.null', ids: [1, 2, 3] },
    { filter: 'data->c=in.([1],"[1,2]")', ids: [2] },
    { filter: 'raw->a->0->>deep=eq.yes', ids: [1] },
    { filter: 'raw->t=gt.5', ids: [2] },
    { filter: 'raw->>t=lt.5', ids: [2] },
    { filter: 'sure->f=eq.true', ids: [1] },
    { filter: 'tags->>0=eq.blue', ids: [2] },
    { filter: 'home->>zip=eq.123', ids: [1] },
    { filter: 'home->zip=gte.123', ids: [1] },
    { filter: 'or=(data->>s.eq.y,home->>street.eq.Road)', ids: [1, 2] },
    { filter: `data->>k'q\\=eq.7`, ids: [1] },
  ])('$filter', async ({ filter, ids }) => {
    const equals = filter.indexOf('=');
    const condition = `${encoded(filter.slice(0, equals))}=${encoded(filter.slice(equals + 1))}`;
    const rows = JSON.parse(await database.get('docs', `select=id&order=id&${condition}`));
    expect(rows.map(({ id }: { id: number }) => id)).toEqual(ids);
  });

  test('a value that is no JSON is refused by PostgreSQL', async () => {
    const request = database.get('docs', 'data->s=eq.x');
    await expect(request).rejects.toMatchObject({ code: '22P02' });
  });
});

test.each([
  { order: 'data->c->0.desc.nullslast,id', ids: [1, 2, 3] },
  { order: 'raw->t.desc.nullslast', ids: [2, 1, 3] },
  { order: 'raw->>t.asc.nullsfirst', ids: [3, 2, 1] },
  { order: 'home->zip.asc.nullslast,id.desc', ids: [1, 3, 2] },
])('order by $order', async ({ order, ids }) => {
  const rows = JSON.parse(await database.get('docs', `select=id&order=${encoded(order)}`));
  expect(rows.map(({ id }: { id: number }) => id)).toEqual(ids);
});

describe('a key is never SQL', () => {
  test.each([`x'||(select 1)||'`, `x\\' or 1=1 --`, '0) or (1=1', 'a"b', '$1', 'é;--'])(
    '%s',
    async (key) => {
      const select = encoded(`v:data->>"${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
      expect(await database.get('docs', `select=${select}&id=eq.3`)).toBe('[{"v":null}]');
    },
  );
});
