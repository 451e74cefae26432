// Spec, "Errors": the rows that table routes, batch and functions can meet, and the body of every error.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table strict (id int primary key, name text not null);
    create policy everybody on strict using (true);
    create table closed (id int primary key);
    create function divide(a int, b int) returns int immutable language sql as 'select a / b';`);
});
beforeEach(() =>
  sky.project.sql(`truncate strict; insert into strict (id, name) values (1, 'one')`),
);
afterAll(() => sky.close());

const OBJECT = 'application/vnd.pgrst.object+json';

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly code: string;
}

const expectError = async ({ method = 'GET', path, headers = {}, body, status, code }: Row) => {
  const reply = await sky.send(method, path, { headers, ...(body !== undefined && { body }) });
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.body).toMatchObject({ code, status });
  expect(reply.text).not.toMatch(/row_to_json|json_to_record|"public"/);
  expect(await sky.project.sql('select id, name from strict')).toEqual([{ id: 1, name: 'one' }]);
};

describe('the rows of the table', () => {
  test.each<Row>([
    {
      name: 'impersonation header with a non-secret credential',
      path: 'strict',
      headers: { 'x-service-impersonate': 'anon' },
      status: 403,
      code: 'IMPERSONATION_REFUSED',
    },
    { name: 'malformed query string', path: 'strict?select=id,(', status: 400, code: 'PGRST100' },
    {
      name: 'malformed percent-encoding',
      path: 'strict?name=eq.%ff',
      status: 400,
      code: 'PGRST100',
    },
    {
      name: 'a NUL in the query string',
      path: 'strict?name=eq.%00',
      status: 400,
      code: 'PGRST100',
    },
    {
      name: 'query plan requested by a non-admin',
      path: 'strict',
      headers: { accept: 'application/vnd.pgrst.plan+json' },
      status: 403,
      code: 'PGRST103',
    },
    {
      name: 'inverted Range header',
      path: 'strict',
      headers: { range: '9-0' },
      status: 416,
      code: 'PGRST103',
    },
    {
      name: 'single-object representation with zero rows',
      path: 'strict?id=eq.9',
      headers: { accept: OBJECT },
      status: 406,
      code: 'PGRST116',
    },
    {
      name: 'single-object representation with many rows',
      path: 'planets',
      headers: { accept: OBJECT },
      status: 406,
      code: 'PGRST116',
    },
    {
      name: 'unknown value for an implemented Prefer preference',
      path: 'strict',
      headers: { prefer: 'count=most' },
      status: 400,
      code: 'PGRST122',
    },
    {
      name: 'no function matches the supplied argument names',
      path: 'rpc/divide?a=1',
      status: 404,
      code: 'PGRST202',
    },
    {
      name: 'schema not exposed for a function call',
      path: 'rpc/divide?a=1&b=1',
      headers: { 'accept-profile': 'auth' },
      status: 406,
      code: 'PGRST106',
    },
    {
      name: 'unfiltered PATCH by a non-admin',
      method: 'PATCH',
      path: 'strict',
      body: { name: 'x' },
      status: 400,
      code: 'UNFILTERED_WRITE',
    },
    {
      name: 'unfiltered DELETE by a non-admin',
      method: 'DELETE',
      path: 'strict',
      status: 400,
      code: 'UNFILTERED_WRITE',
    },
    {
      name: 'read operation inside a batch',
      method: 'POST',
      path: 'batch',
      body: { operations: [{ method: 'GET', model: 'strict' }] },
      status: 400,
      code: 'PGRST100',
    },
    {
      name: 'PATCH whose filter matches nothing',
      method: 'PATCH',
      path: 'strict?id=eq.9',
      body: { name: 'x' },
      status: 404,
      code: 'NO_ROWS_MATCHED',
    },
    {
      name: 'contains operator on a scalar column',
      path: 'strict?id=cs.{1}',
      status: 400,
      code: '42883',
    },
    {
      name: 'RLS denial',
      method: 'POST',
      path: 'closed',
      body: { id: 1 },
      status: 403,
      code: '42501',
    },
  ])('$name: $status $code', expectError);

  test('the RLS denial is one fixed sentence, whoever asks, and says nothing more', async () => {
    const call = { method: 'POST', path: '/rest/v1/closed', body: { id: 1 } };
    for (const reply of [await sky.project.send(call), await sky.project.as(sky.ada, call)]) {
      expect(reply.body).toEqual({
        message: 'You do not have permission to perform this action.',
        code: '42501',
        status: 403,
        requestId: expect.any(String),
      });
    }
  });
});

describe('the body of every error', () => {
  test('is { message, code, status, details?, hint?, requestId }', async () => {
    const plain = await sky.get('strict?id=1', { 'x-request-id': 'my-request.1' });
    expect(plain.body).toEqual({
      message: expect.stringContaining('id'),
      code: 'PGRST100',
      status: 400,
      requestId: 'my-request.1',
    });
    const hinted = asRecord((await sky.get('stricd')).body);
    expect(hinted).toMatchObject({ code: 'PGRST205', hint: expect.stringContaining('strict') });
    const detailed = await sky.get('strict?offset=9', { prefer: 'count=exact' });
    expect(detailed.body).toMatchObject({ code: 'PGRST103', details: { offset: 9, total: 1 } });
  });

  test('a HEAD that fails has the status and no body', async () => {
    const reply = await sky.send('HEAD', 'nothing');
    expect([reply.status, reply.text]).toEqual([404, '']);
  });
});

describe('names that are not there', () => {
  test.each<Row>([
    { name: 'a table', path: 'nothing', status: 404, code: 'PGRST205' },
    { name: 'a column', path: 'strict?select=nothing', status: 400, code: 'PGRST204' },
    { name: 'a relation', path: 'strict?select=planets(id)', status: 400, code: 'PGRST200' },
    {
      name: 'a media type of the body',
      method: 'POST',
      path: 'strict',
      headers: { 'content-type': 'text/xml' },
      body: '<a/>',
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    { name: 'a route', path: 'strict/1', status: 404, code: 'NOT_FOUND' },
    {
      name: 'a method',
      method: 'PUT',
      path: 'strict',
      body: {},
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    },
  ])('$name: $status $code', expectError);
});
