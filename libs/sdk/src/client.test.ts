// What comes back from a request: rows, counts, errors of the server, and no answer at all.
import { describe, expect, test } from 'vitest';

import { createClient } from './client.js';
import { RowhouseError } from './error.js';
import { recordingFetch, type Step } from '../tests/recording-fetch.js';

const tableOf = (...steps: Step[]) => {
  const { fetch, sent } = recordingFetch(...steps);
  return { table: createClient('http://shop.test', undefined, { fetch }).from('t'), sent };
};

describe('answers', () => {
  test('rows with a total', async () => {
    const { table } = tableOf({ body: [{ a: 1 }], headers: { 'content-range': '0-0/57' } });
    expect(await table.select('*', { count: 'exact' })).toEqual({
      data: [{ a: 1 }],
      error: null,
      count: 57,
      status: 200,
      statusText: '',
    });
  });

  test('a total that the server does not tell is null', async () => {
    const { table } = tableOf({ body: [], headers: { 'content-range': '0-0/*' } });
    expect((await table.select()).count).toBeNull();
  });

  test('a count alone', async () => {
    const { table } = tableOf({ headers: { 'content-range': '*/3' } });
    const { data, count } = await table.select('*', { count: 'exact', head: true });
    expect({ data, count }).toEqual({ data: null, count: 3 });
  });

  test('a write that gives nothing back has null as its data', async () => {
    const { table } = tableOf({ status: 201 });
    expect(await table.insert({ a: 1 })).toMatchObject({ data: null, error: null, status: 201 });
  });

  test.each([
    { name: 'the first of several', body: [{ a: 1 }, { a: 2 }], data: { a: 1 } },
    { name: 'null of none', body: [], data: null },
  ])('maybeSingle gives $name', async ({ body, data }) => {
    const { table } = tableOf({ body });
    expect(await table.select().maybeSingle()).toMatchObject({ data, error: null });
    expect(await table.insert({ a: 1 }).select().maybeSingle()).toMatchObject({ data });
  });

  test.each([
    {
      name: 'CSV',
      body: 'a\n1\n',
      query: (t: ReturnType<typeof tableOf>['table']) => t.select().csv(),
    },
    {
      name: 'a plan',
      body: 'Seq Scan',
      query: (t: ReturnType<typeof tableOf>['table']) => t.select().explain(),
    },
  ])('$name is text', async ({ body, query }) => {
    expect((await query(tableOf({ body }).table)).data).toBe(body);
  });

  test('a plan in JSON is JSON', async () => {
    const { table } = tableOf({ body: [{ Plan: {} }] });
    expect((await table.select().explain({ format: 'json' })).data).toEqual([{ Plan: {} }]);
  });

  test('a page of HTML instead of rows is an error', async () => {
    const { table } = tableOf({ body: '<html>' });
    expect(await table.select()).toMatchObject({
      data: null,
      error: { message: 'The answer is not JSON', status: 200, code: '' },
    });
  });
});

describe('errors', () => {
  const refused = {
    status: 406,
    body: {
      message: 'Not one row',
      code: 'PGRST116',
      status: 406,
      details: { rows: 2 },
      hint: 'Filter more',
      requestId: 'r1',
    },
  };

  test('an error of the server keeps all that it says', async () => {
    const { data, error, status } = await tableOf(refused).table.select().single();
    expect(error).toBeInstanceOf(RowhouseError);
    expect({ data, status, ...error?.toJSON() }).toEqual({
      data: null,
      name: 'RowhouseError',
      ...refused.body,
    });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ message: 'Not one row' });
  });

  test.each([
    { name: 'text', reply: { status: 502, body: 'Bad gateway' }, message: 'Bad gateway' },
    { name: 'nothing', reply: { status: 404 }, message: 'The server answered 404' },
    { name: 'JSON that is no error', reply: { status: 400, body: [1] }, message: '[1]' },
  ])('a refusal with $name has a message', async ({ reply, message }) => {
    const { error } = await tableOf(reply).table.delete().eq('id', 1);
    expect(error).toMatchObject({ message, status: reply.status, code: '' });
  });

  test('the request id of the headers names an answer whose body does not', async () => {
    const { table } = tableOf({ status: 404, headers: { 'x-request-id': 'r2' } });
    expect((await table.select('*', { head: true })).error?.requestId).toBe('r2');
  });

  test('no answer is an error of status 0 with its cause', async () => {
    const fault = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const { error, status } = await tableOf(fault).table.insert({ a: 1 });
    expect({ message: error?.message, code: error?.code, status }).toEqual({
      message: 'fetch failed: connect ECONNREFUSED',
      code: '',
      status: 0,
    });
    expect(error?.cause).toBe(fault);
  });

  test('a body that cannot be written as JSON is an error, and nothing is sent', async () => {
    const { table, sent } = tableOf();
    const row: Record<string, unknown> = {};
    row['self'] = row;
    expect((await table.insert(row)).error).toMatchObject({ status: 0 });
    expect(sent).toEqual([]);
  });

  test.each([
    { name: 'an error of the server', step: refused, code: 'PGRST116' },
    { name: 'a network fault', step: new TypeError('fetch failed'), code: '' },
  ])('throwOnError throws $name', async ({ step, code }) => {
    const query = tableOf(step).table.delete().eq('id', 1).throwOnError();
    await expect(query).rejects.toBeInstanceOf(RowhouseError);
    await expect(query).rejects.toMatchObject({ code });
  });

  test('throwOnError gives the data of a success', async () => {
    const { data } = await tableOf({ body: [{ a: 1 }] })
      .table.select('a')
      .throwOnError();
    expect(data[0]).toEqual({ a: 1 });
  });
});

describe('aborting', () => {
  test('an aborted request is an error of status 0 and is not sent again', async () => {
    const { table, sent } = tableOf({ body: [] });
    const { error } = await table.select().abortSignal(AbortSignal.abort());
    expect(error).toMatchObject({ status: 0, code: '' });
    expect(sent).toEqual([]);
  });

  test('a signal ends a request on its way', async () => {
    const leaving = new AbortController();
    const { table, sent } = tableOf(
      () =>
        new Promise((_, reject) => {
          leaving.signal.addEventListener('abort', () => reject(leaving.signal.reason));
          leaving.abort();
        }),
    );
    expect((await table.select().abortSignal(leaving.signal)).error).toMatchObject({ status: 0 });
    expect(sent).toHaveLength(1);
  });
});

describe('sending again', () => {
  const busy = { status: 503, headers: { 'retry-after': '0' } };

  test('a read that met a busy server is sent again', async () => {
    const { table, sent } = tableOf(busy, busy, { body: [1] });
    expect((await table.select()).data).toEqual([1]);
    expect(sent).toHaveLength(3);
  });

  test.each([
    {
      name: 'retry is off',
      query: (t: ReturnType<typeof tableOf>['table']) => t.select().retry(false),
    },
    { name: 'it inserts', query: (t: ReturnType<typeof tableOf>['table']) => t.insert({ a: 1 }) },
    {
      name: 'it updates',
      query: (t: ReturnType<typeof tableOf>['table']) => t.update({ a: 1 }).eq('id', 1),
    },
    {
      name: 'it deletes',
      query: (t: ReturnType<typeof tableOf>['table']) => t.delete().eq('id', 1),
    },
  ])('a request is sent once when $name', async ({ query }) => {
    const { table, sent } = tableOf(busy);
    expect((await query(table)).status).toBe(503);
    expect(sent).toHaveLength(1);
  });
});

test('headers of one request replace those of the client', async () => {
  const { fetch, sent } = recordingFetch({ body: [] });
  const headers = { 'X-Trace': 'client', 'x-other': '1' };
  const client = createClient('http://shop.test/', 'svc_publishable_1', { fetch, headers });
  await client.from('t').select().setHeader('x-trace', 'request').setHeader('Accept', 'text/plain');
  expect(sent[0]?.headers).toEqual({
    accept: 'text/plain',
    apikey: 'svc_publishable_1',
    'x-other': '1',
    'x-trace': 'request',
  });
});
