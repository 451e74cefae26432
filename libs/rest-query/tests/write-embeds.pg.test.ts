import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compact, MAGAZINE } from './embed-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';
import { REPRESENTATION, send, type Write } from './write-setup.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase('write_embeds', MAGAZINE, { maxRows: 2 });
});

afterAll(() => database.close());

beforeEach(async () => {
  await database.client.query('delete from posts where id > 4');
});

const bodyOf = async (method: 'POST' | 'PATCH' | 'DELETE', write: Write): Promise<string> => {
  const prefer = [REPRESENTATION, write.prefer].filter(Boolean).join(', ');
  const { body } = await send(database.run, method, { table: 'posts', ...write, prefer });
  return compact(body ?? '');
};

describe('the representation embeds', () => {
  test('what the new rows refer to', async () => {
    const body = await bodyOf('POST', {
      query: 'select=id,author:author_id(name,profiles(bio)),comments(id)&order=id.desc',
      body: [{ id: 5, author_id: 1 }, { id: 6, author_id: 2 }, { id: 7 }],
    });
    expect(body).toBe(
      '[{"id":7,"author":null,"comments":[]},{"id":6,"author":{"name":"Bob","profiles":{"bio":null}},"comments":[]},{"id":5,"author":{"name":"Ann","profiles":{"bio":"writes"}},"comments":[]}]',
    );
  });

  test('by the new values of an update, each list up to maxRows', async () => {
    const body = await bodyOf('PATCH', {
      query: 'select=id,authors!author_id(name),comments(id)&comments.order=id&id=eq.1',
      body: { author_id: 3 },
    });
    expect(body).toBe('[{"id":1,"authors":{"name":"Cyd"},"comments":[{"id":1},{"id":2}]}]');
    await bodyOf('PATCH', { query: 'id=eq.1', body: { author_id: 1 } });
  });

  test('what deleted rows referred to, ordered by it', async () => {
    await bodyOf('POST', {
      body: [
        { id: 8, author_id: 1 },
        { id: 9, author_id: 2 },
      ],
    });
    const body = await bodyOf('DELETE', {
      query: 'select=id,a:author_id(name)&order=a(name).desc&id=gte.8',
    });
    expect(body).toBe('[{"id":9,"a":{"name":"Bob"}},{"id":8,"a":{"name":"Ann"}}]');
  });

  test('spreads and aggregates', async () => {
    const write = {
      query: 'select=...author_id(name),views.sum()',
      body: [
        { id: 8, author_id: 1, views: 2 },
        { id: 9, author_id: 1, views: 3 },
      ],
    };
    expect(await bodyOf('POST', write)).toBe('[{"name":"Ann","sum":5}]');
  });

  test('an upsert that merges shows the row as it is then', async () => {
    const body = await bodyOf('POST', {
      query: 'select=id,title,author_id(name)',
      prefer: 'resolution=merge-duplicates',
      body: [{ id: 3, title: 'tres' }],
    });
    expect(body).toBe('[{"id":3,"title":"tres","author_id":{"name":"Bob"}}]');
    await bodyOf('PATCH', { query: 'id=eq.3', body: { title: 'three' } });
  });

  test('an empty update has no rows', async () => {
    expect(await bodyOf('PATCH', { query: 'select=id,author_id(name)&id=eq.1', body: {} })).toBe(
      '[]',
    );
  });
});

describe('filters on embeds choose the rows that a write touches', () => {
  const ids = () => database.rowsOf('select id, views from posts order by id');
  beforeEach(async () => {
    await bodyOf('POST', {
      body: [
        { id: 5, author_id: 1 },
        { id: 6, author_id: 2 },
        { id: 7, author_id: null },
      ],
    });
  });

  test('inner', async () => {
    const query = 'select=id,author:author_id!inner(name)&author.name=eq.Bob&id=gt.4';
    expect(await bodyOf('PATCH', { query, body: { views: 99 } })).toBe(
      '[{"id":6,"author":{"name":"Bob"}}]',
    );
    expect((await ids()).slice(4)).toEqual([
      [5, null],
      [6, 99],
      [7, null],
    ]);
  });

  test('null filters', async () => {
    const query = 'select=id,author:author_id()&author=is.null&id=gt.4';
    expect(await bodyOf('DELETE', { query })).toBe('[{"id":7}]');
    expect((await ids()).slice(4)).toEqual([
      [5, null],
      [6, null],
    ]);
  });

  test('a filter on a plain embed hides the embed, not the row', async () => {
    const query = 'select=id,author:author_id(name)&author.name=eq.Bob&id=gt.4&order=id';
    expect(await bodyOf('DELETE', { query })).toBe(
      '[{"id":5,"author":null},{"id":6,"author":{"name":"Bob"}},{"id":7,"author":null}]',
    );
  });
});
