// Edge functions, called with our own client: what arrives there, and what comes back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createClient, type RowhouseClient } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { type Gateway, openGateway } from './support/gateway.js';

const adminPath = '/api/admin/functions';
/** Answers with what it has received, or as the query says. */
const mirror = `
let release = () => {};
Deno.serve(async (request) => {
  const { searchParams, pathname } = new URL(request.url);
  const status = Number(searchParams.get('status') ?? 200);
  switch (searchParams.get('mode')) {
    case 'refuse':
      return Response.json({ message: 'No card', code: 'NO_CARD', order: 7 }, { status });
    case 'events': {
      const released = new Promise((resolve) => { release = resolve; });
      const encoder = new TextEncoder();
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(encoder.encode('data: 1\\n\\n'));
          await released;
          controller.enqueue(encoder.encode('data: 2\\n\\n'));
          controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    case 'release':
      release();
      return new Response(null, { status: 204 });
    case 'wait':
      await new Promise(() => {});
  }
  const type = request.headers.get('content-type');
  if (type?.startsWith('multipart/form-data')) return new Response(await request.formData());
  if (type === 'image/png') return new Response(request.body, { headers: { 'content-type': type } });
  const text = await request.text();
  return Response.json({ method: request.method, path: pathname, x: searchParams.get('x'), type, text });
});`;

let deployment: Deployment;
let project: ProjectUnderTest;
let gateway: Gateway;
let client: RowhouseClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  gateway = await openGateway(project);
  const body = { slug: 'mirror', files: { 'index.ts': mirror } };
  const deployed = await project.asService({ method: 'POST', path: adminPath, body });
  expect(deployed.text).toContain('"mirror"');
  client = createClient(gateway.url, project.publishableKey);
  await client.auth.signUp({ email: 'ada@example.org', password: 'analytical engine' });
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await deployment.close();
});

describe('a body arrives', () => {
  test.each([
    { name: 'as JSON', body: { a: [1] }, text: '{"a":[1]}', type: 'application/json' },
    { name: 'as text', body: 'ä', text: 'ä', type: 'text/plain;charset=UTF-8' },
    {
      name: 'as parameters',
      body: new URLSearchParams({ a: 'b c' }),
      text: 'a=b+c',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    },
    {
      name: 'as a stream',
      body: new Response('parts').body,
      text: 'parts',
      type: 'application/octet-stream',
    },
  ])('$name', async ({ body, text, type }) => {
    const { data, error } = await client.functions.invoke('mirror/a b?x=1%2B1', { body });
    expect({ data, error }).toEqual({
      data: { method: 'POST', path: '/api/edge/mirror/a%20b', x: '1+1', type, text },
      error: null,
    });
  });

  test('as a form, and a form comes back', async () => {
    const body = new FormData();
    body.append('title', 'Emma');
    body.append('cover', new Blob(['png'], { type: 'image/png' }), 'cover.png');
    const { data } = await client.functions.invoke<FormData>('mirror', { body });
    const cover = data?.get('cover');
    expect([data?.get('title'), cover instanceof File && cover.name]).toEqual([
      'Emma',
      'cover.png',
    ]);
  });

  test('as bytes, and bytes come back', async () => {
    const body = new Blob([new Uint8Array([0, 255])], { type: 'image/png' });
    const { data } = await client.functions.invoke<Blob>('mirror', { body });
    expect([data?.type, await data?.arrayBuffer()]).toEqual([
      'image/png',
      new Uint8Array([0, 255]).buffer,
    ]);
  });
});

test('events arrive as they are sent', async () => {
  type Events = ReadableStream<Uint8Array>;
  const { data } = await client.functions.invoke<Events>('mirror?mode=events', { method: 'GET' });
  const reader = data?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('data: 1\n\n');
  const released = await client.functions.invoke('mirror?mode=release');
  expect(released).toMatchObject({ data: null, error: null, response: { status: 204 } });
  expect((await reader?.read())?.value).toBe('data: 2\n\n');
  expect((await reader?.read())?.done).toBe(true);
});

describe('an error', () => {
  test.each([402, 500, 503])('of the function: %i', async (status) => {
    const { error } = await client.functions.invoke(`mirror?mode=refuse&status=${status}`);
    expect(error).toMatchObject({ status, code: 'NO_CARD', message: 'No card' });
    expect(error?.details).toMatchObject({ order: 7 });
  });

  test('of the platform: no function answers there', async () => {
    const { error } = await client.functions.invoke('whisper');
    expect(error).toMatchObject({ status: 404, code: 'FUNCTION_ROUTE_NOT_FOUND' });
  });

  test('of an abort has the status 0', async () => {
    const signal = AbortSignal.timeout(500);
    const { error } = await client.functions.invoke('mirror?mode=wait', { signal });
    expect(error).toMatchObject({ status: 0, code: '' });
  });
});

describe('the caller', () => {
  test('without a session or a token is refused', async () => {
    const { error } = await client.functions.invoke('mirror', { auth: false });
    expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect((await client.auth.getSession()).data.session).not.toBeNull();
  });

  test('may have an edge token', async () => {
    const body = { name: 'cron' };
    const reply = await project.asService({ method: 'POST', path: `${adminPath}/tokens`, body });
    const { token } = Object(reply.body) as { readonly token: string }; // The answer of the route.
    const visitor = createClient(gateway.url, project.publishableKey);
    expect((await visitor.functions.invoke('mirror', { auth: token })).error).toBeNull();
    const wrong = await visitor.functions.invoke('mirror', { auth: `${token}x` });
    expect(wrong.error).toMatchObject({ status: 401 });
  });

  test('may have the secret key', async () => {
    const server = createClient(gateway.url, project.secretKey);
    expect((await server.functions.invoke('mirror')).error).toBeNull();
  });

  test('stays signed in after a 401 of the function, and not after one of the platform', async () => {
    const other = createClient(gateway.url, project.publishableKey);
    const { data } = await other.auth.signUp({
      email: 'bob@example.org',
      password: 'analytical engine',
    });
    const refused = await other.functions.invoke('mirror?mode=refuse&status=401');
    expect(refused.error).toMatchObject({ status: 401, code: 'NO_CARD' });
    expect((await other.auth.getSession()).data.session).not.toBeNull();

    const headers = { authorization: `Bearer ${data.session?.access_token}` };
    await project.send({ method: 'POST', path: '/api/auth/sign-out', headers, body: {} });
    expect((await other.functions.invoke('mirror')).error).toMatchObject({ status: 401 });
    await waitFor(async () => (await other.auth.getSession()).data.session === null);
  });
});
