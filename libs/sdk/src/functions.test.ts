// What a call of an edge function sends, and what comes back.
import { describe, expect, test } from 'vitest';

import { aliveReply, eventsOf, flush } from '../tests/auth-client.js';
import { storageClient, type StorageTestOptions } from '../tests/storage-client.js';
import type { Step } from '../tests/recording-fetch.js';
import type { InvokeOptions } from './functions.js';

const opened = (steps: readonly Step[] = [{}], options?: StorageTestOptions) => {
  const { client, sent, bodies } = storageClient(steps, options);
  return { client, functions: client.functions, sent, bodies };
};

async function sentBy(options: InvokeOptions, name = 'hello', setAuth?: string) {
  const { functions, sent, bodies } = opened();
  if (setAuth !== undefined) functions.setAuth(setAuth);
  const { error } = await functions.invoke(name, options);
  return { ...sent[0], text: bodies[0], error, count: sent.length };
}

describe('the address', () => {
  test.each([
    { name: 'hello', path: '/api/edge/hello', query: [] },
    { name: 'pay/webhook?x=1&y=a b', path: '/api/edge/pay/webhook', query: ['1', 'a b'] },
    {
      name: 'files/50% off #1?a=b?c#d',
      path: '/api/edge/files/50%25%20off%20%231',
      query: ['b?c#d'],
    },
  ])('of $name is $path', async ({ name, path, query }) => {
    const request = await sentBy({ region: 'eu-west-1' }, name);
    expect([request.method, request.path]).toEqual(['POST', path]);
    expect(request.params?.map(([, value]) => value)).toEqual(query);
  });

  test.each(['', 'a/../admin', '/a', 'a//b', '?x=1'])('"%s" is refused', async (name) => {
    const { error, count } = await sentBy({}, name);
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(count).toBe(0);
  });
});

describe('the body', () => {
  const form = new FormData();
  form.append('title', 'Emma');
  const stream = new Response('parts').body;

  test.each<{ name: string; body: unknown; text: string; type: string | undefined }>([
    { name: 'an object', body: { append: 1 }, text: '{"append":1}', type: 'application/json' },
    { name: 'a list', body: [1, 'a'], text: '[1,"a"]', type: 'application/json' },
    { name: 'a number', body: 0, text: '0', type: 'application/json' },
    { name: 'text', body: 'a', text: 'a', type: 'text/plain;charset=UTF-8' },
    { name: 'a blob', body: new Blob(['a'], { type: 'image/png' }), text: 'a', type: 'image/png' },
    {
      name: 'a blob without a type',
      body: new Blob(['a']),
      text: 'a',
      type: 'application/octet-stream',
    },
    { name: 'bytes', body: new Uint8Array([97]), text: 'a', type: 'application/octet-stream' },
    {
      name: 'a view',
      body: new DataView(new ArrayBuffer(1)),
      text: '\0',
      type: 'application/octet-stream',
    },
    { name: 'a buffer', body: new ArrayBuffer(1), text: '\0', type: 'application/octet-stream' },
    { name: 'a stream', body: stream, text: 'parts', type: 'application/octet-stream' },
    { name: 'parameters', body: new URLSearchParams({ a: 'b c' }), text: 'a=b+c', type: undefined },
    { name: 'nothing', body: undefined, text: '', type: undefined },
    { name: 'null, as for fetch', body: null, text: '', type: undefined },
  ])('$name', async ({ body, text, type }) => {
    const request = await sentBy({ body });
    expect(request.error).toBeNull();
    expect([request.text, request.headers?.['content-type']]).toEqual([text, type]);
  });

  test('a form keeps the boundary that fetch makes', async () => {
    const { text, headers } = await sentBy({ body: form });
    expect(text).toContain('name="title"\r\n\r\nEmma');
    expect(headers).not.toHaveProperty('content-type');
  });

  test('a media type of the caller is kept', async () => {
    const headers = { 'Content-Type': 'application/vnd.api+json' };
    const request = await sentBy({ body: { a: 1 }, headers });
    expect(request).toMatchObject({
      text: '{"a":1}',
      headers: { 'content-type': 'application/vnd.api+json' },
    });
  });

  test.each([
    { body: { at: new Date(Number.NaN) }, says: 'at is Invalid Date' },
    { body: [Number.NaN], says: 'body[0] is NaN' },
    { body: Infinity, says: 'The value is Infinity' },
    { body: { photo: new Blob(['a']) }, says: 'photo is [object Blob]' },
  ])('that JSON cannot hold is refused: $says', async ({ body, says }) => {
    const { error, count } = await sentBy({ body });
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: `${says}, which JSON cannot hold`,
    });
    expect(count).toBe(0);
  });
});

describe('the caller', () => {
  const edgeToken = 'svc_edge_1';
  test.each<{ name: string; auth?: string | false; setAuth?: string; sends: object }>([
    { name: 'is the user of the session', sends: { authorization: 'Bearer tok' } },
    { name: 'has another token', auth: 'jwt', sends: { authorization: 'Bearer jwt' } },
    { name: 'has an edge token', auth: edgeToken, sends: { 'x-service-edge-token': edgeToken } },
    { name: 'is a visitor', auth: false, sends: {} },
    { name: 'has the token of setAuth', setAuth: 'jwt', sends: { authorization: 'Bearer jwt' } },
    { name: 'is a visitor in spite of setAuth', auth: false, setAuth: 'jwt', sends: {} },
  ])('$name', async ({ auth, setAuth, sends }) => {
    expect((await sentBy({ auth }, 'hello', setAuth)).headers).toEqual(sends);
  });

  test('is the user again after setAuth(null)', async () => {
    const { functions, sent } = opened();
    functions.setAuth('jwt');
    functions.setAuth(null);
    await functions.invoke('hello');
    expect(sent[0]?.headers).toEqual({ authorization: 'Bearer tok' });
  });
});

describe('the answer', () => {
  test.each([
    { type: 'application/json; charset=utf-8', body: '{"a":1}', data: { a: 1 } },
    { type: 'application/problem+json', body: '[1]', data: [1] },
    { type: 'application/json', body: '', data: null },
    { type: 'text/html', body: '<p>', data: '<p>' },
    { type: 'text/plain', body: '', data: '' },
    {
      type: 'multipart/form-data; boundary=x',
      body: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
      data: expect.any(FormData),
    },
    { type: 'application/pdf', body: '%PDF', data: expect.any(Blob) },
    { type: 'text/event-stream', body: 'data: 1\n\n', data: expect.any(ReadableStream) },
  ])('of $type', async ({ type, body, data }) => {
    const { functions } = opened([{ body, headers: { 'content-type': type } }]);
    const answer = await functions.invoke('hello');
    expect(answer).toMatchObject({ data, error: null, response: { status: 200 } });
  });

  test('without content is null', async () => {
    const { functions } = opened([{ status: 204 }]);
    expect(await functions.invoke('hello', { method: 'DELETE' })).toMatchObject({
      data: null,
      error: null,
    });
  });

  test('a stream is not read', async () => {
    const { functions } = opened([
      { body: 'data: 1\n\n', headers: { 'content-type': 'text/event-stream' } },
    ]);
    const { data } = await functions.invoke<ReadableStream<Uint8Array>>('hello');
    expect(await new Response(data).text()).toBe('data: 1\n\n');
  });

  test('that is no JSON although it says so is an error with its text', async () => {
    const { functions } = opened([
      { body: '<html>', headers: { 'content-type': 'application/json' } },
    ]);
    const { data, error } = await functions.invoke('hello');
    expect({ data, ...error?.toJSON() }).toMatchObject({
      data: null,
      status: 200,
      details: '<html>',
    });
  });

  test.each([
    { body: { error: 'No card', order: 7 }, details: { error: 'No card', order: 7 }, code: '' },
    { body: { message: 'No card', code: 'card' }, details: { code: 'card' }, code: 'card' },
    { body: 'No card', details: 'No card', code: '' },
    { body: undefined, details: undefined, code: '' },
  ])('of another status has the body $body as its details', async ({ body, details, code }) => {
    const { functions } = opened([{ status: 402, body, headers: { 'x-request-id': 'r1' } }]);
    const { data, error, response } = await functions.invoke('pay');
    expect({ data, status: response?.status }).toEqual({ data: null, status: 402 });
    expect(error).toMatchObject({ status: 402, code, requestId: 'r1' });
    if (typeof details === 'object') expect(error?.details).toMatchObject(details);
    else expect(error?.details).toBe(details);
  });

  test('that does not come is an error of status 0, and the request is sent once', async () => {
    const { functions, sent } = opened([new TypeError('fetch failed')]);
    const { error, response } = await functions.invoke('hello', { method: 'GET' });
    expect(error).toMatchObject({ status: 0, code: '', message: 'fetch failed' });
    expect([response, sent.length]).toEqual([undefined, 1]);
  });

  test('is not awaited after an abort', async () => {
    const { functions } = opened([]);
    const signal = AbortSignal.abort();
    expect((await functions.invoke('hello', { signal })).error).toMatchObject({ status: 0 });
  });
});

test('an unknown option is refused', async () => {
  const { functions, sent } = opened();
  const options: object = { bdoy: {} };
  const { error } = await functions.invoke('hello', options);
  expect(error?.message).toBe(
    'Unknown option: bdoy. Use method, body, headers, auth, region, signal',
  );
  expect(sent).toEqual([]);
});

describe('a 401', () => {
  const refused = { status: 401, body: { message: 'Who are you?' } };
  test.each([
    {
      name: 'of the function keeps the session',
      check: aliveReply,
      events: ['INITIAL_SESSION', 'TOKEN_REFRESHED'],
    },
    {
      name: 'for a session that ended signs out',
      check: { body: 'null' },
      events: ['INITIAL_SESSION', 'SIGNED_OUT'],
    },
  ])('$name', async ({ check, events }) => {
    const { client, functions, sent } = opened([refused, check]);
    const seen = eventsOf({ auth: client.auth });
    await flush();
    expect((await functions.invoke('hello')).error).toMatchObject({ status: 401 });
    await flush();
    expect(sent.map(({ path }) => path)).toEqual(['/api/edge/hello', '/api/auth/get-session']);
    expect(seen).toEqual(events);
  });

  test('of another token is not about the session', async () => {
    const { functions, sent } = opened([refused]);
    await functions.invoke('hello', { auth: 'svc_edge_1' });
    expect(sent).toHaveLength(1);
  });
});
