// What code of a project gets from a request, and what becomes of its answer.
import { once } from 'node:events';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import {
  describeWithDeno,
  type FixtureProject,
  type FunctionsFixture,
  openFixture,
  streamOf,
} from './functions-fixture.js';

describeWithDeno('a function', () => {
  let fixture: FunctionsFixture;
  let project: FixtureProject;
  beforeAll(async () => {
    fixture = await openFixture();
    project = fixture.open({
      serve: (request, response) => {
        response.setHeader('x-seen', JSON.stringify(request.headers));
        response.end(`${request.method} ${request.url} of the project`);
      },
    });
  });
  afterAll(() => fixture.close());

  test('sees method, address, headers and body of the client, and none of ours', async () => {
    const version = await project.deploy(
      'echo',
      `Deno.serve({ port: 9999 }, async (request) => Response.json({
        method: request.method, url: request.url, body: await request.text(),
        headers: [...request.headers.keys()], type: request.headers.get('content-type'),
      }, { status: 201, headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2']] }));`,
    );
    const headers = { 'content-type': 'text/plain', 'x-client': 'yes' };
    const reply = await project.call(version, { body: 'Grüße', path: '/a%20b?c=d&e', headers });
    expect(reply.status).toBe(201);
    expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const seen = JSON.parse(reply.text);
    expect(seen).toMatchObject({ method: 'POST', body: 'Grüße', type: 'text/plain' });
    expect(seen.url).toBe('http://p1.localhost:8000/api/edge/echo/a%20b?c=d&e');
    expect(seen.headers.filter((name: string) => name.includes('rowhouse'))).toEqual([]);
  });

  test.each([
    ['Deno.serve with options and handler', `Deno.serve({ handler: () => new Response('ok') });`],
    ['a default export with fetch', `export default { fetch: () => new Response('ok') };`],
    ['a default export that is a function', `export default () => new Response('ok');`],
    ['Deno.serve after a wait', `setTimeout(() => Deno.serve(() => new Response('ok')), 50);`],
    [
      'shared files and an import map with comments',
      {
        'index.ts': `import { answer } from 'shared'; Deno.serve(() => new Response(answer));`,
        '../_shared/answer.ts': `export const answer: string = 'ok';`,
        '../deno.json': `{ // of all functions\n "imports": { "shared": "./_shared/answer.ts", } }`,
      },
    ],
  ])('can be %s', async (_name, code) => {
    const version = await project.deploy('form', code);
    expect(await project.call(version)).toMatchObject({ status: 200, text: 'ok' });
    project.functions.keepOnly('form', undefined);
  });

  test('answers with a stream whose parts arrive as they are made', async () => {
    const version = await project.deploy(
      'events',
      `let next; Deno.serve((request) => {
        if (request.method === 'POST') { next('data: 2\\n\\n'); return new Response(null, { status: 204 }); }
        return new Response(new ReadableStream({ start(to) {
          to.enqueue(new TextEncoder().encode('data: 1\\n\\n'));
          next = (text) => { to.enqueue(new TextEncoder().encode(text)); to.close(); };
        } }), { headers: { 'content-type': 'text/event-stream' } });
      });`,
    );
    const reply = await project.begin(version);
    const body = streamOf(reply).setEncoding('utf8');
    const [first] = await once(body, 'data');
    expect(first).toBe('data: 1\n\n');
    expect((await project.call(version, { body: '' })).status).toBe(204);
    const [second] = await once(body, 'data');
    expect(second).toBe('data: 2\n\n');
  });

  test('answers in one piece if the body comes with the headers, up to the limit', async () => {
    const version = await project.deploy('short', `Deno.serve(() => new Response('short'));`);
    const whole = await project.begin(version);
    expect(whole.body).toEqual(Buffer.from('short'));
    // The connection is free again, and the call has been recorded.
    expect((await project.call(version)).text).toBe('short');
    expect(project.invocations.filter(({ slug }) => slug === 'short')).toHaveLength(2);
    const { limits } = project;
    project.limits = { ...limits, maxResponseBytes: 4 };
    await expect(project.call(version)).rejects.toMatchObject({ code: 'FUNCTION_BODY_TOO_LARGE' });
    project.limits = limits;
  });

  test('is given 64 MB and gives them back without keeping them in memory', async () => {
    const version = await project.deploy('mirror', `Deno.serve((r) => new Response(r.body));`);
    const part = Buffer.alloc(64 * 1024, 'x');
    const body = Readable.from(
      (function* () {
        for (let count = 0; count < 1024; count += 1) yield part;
      })(),
    );
    const reply = await project.begin(version, { body, method: 'PUT' });
    let bytes = 0;
    for await (const chunk of streamOf(reply)) bytes += chunk.length;
    expect(bytes).toBe(64 * 1024 * 1024);
    const { memoryKb } = project.invocations.at(-1)!; // The call has just ended.
    expect(memoryKb).toBeLessThan(200 * 1024);
  });

  test('learns that its client has left', async () => {
    const version = await project.deploy(
      'patient',
      `Deno.serve((request) => new Promise((resolve) => {
        console.log('waiting');
        request.signal.addEventListener('abort', () => { console.log('left'); resolve(new Response('')); });
      }));`,
    );
    const client = new AbortController();
    const refused = expect(project.call(version, { signal: client.signal })).rejects.toMatchObject({
      code: 'REQUEST_ABORTED',
    });
    await waitFor(() => project.logs.some(({ message }) => message === 'waiting'));
    client.abort();
    await refused;
    await waitFor(() => project.logs.some(({ message }) => message === 'left'));
    expect(project.invocations.at(-1)).toMatchObject({ status: 499, code: 'REQUEST_ABORTED' });
  });

  test('that throws answers 500 without the reason, which is in the log with its request', async () => {
    const version = await project.deploy(
      'faulty',
      `Deno.serve(() => { console.warn('before', { a: 1 }); throw new Error('secret reason'); });`,
    );
    const reply = await project.call(version, { requestId: 'r-1' });
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.text)).toEqual({
      message: 'The function failed',
      code: 'FUNCTION_FAILED',
      status: 500,
      requestId: 'r-1',
    });
    const lines = await waitFor(() => {
      const found = project.logs.filter(({ requestId }) => requestId === 'r-1');
      return found.length === 2 ? found : undefined;
    });
    expect(lines[0]).toMatchObject({ level: 'warn', message: 'before { a: 1 }', slug: 'faulty' });
    expect(lines[1]?.level).toBe('error');
    expect(lines[1]?.message).toMatch(/secret reason\n.*faulty\/index\.ts:1/);
    expect(lines[1]?.message).not.toContain(fixture.folder);
  });

  test('outlives rejections that it does not handle', async () => {
    const version = await project.deploy(
      'careless',
      `Deno.serve(() => { Promise.reject(new Error('lost')); setTimeout(() => { throw 1; }); return new Response('ok'); });`,
    );
    await project.call(version);
    await waitFor(() => project.logs.some(({ message }) => message.includes('lost')));
    await project.call(version);
    expect(
      project.invocations.filter(({ slug, isColdStart }) => slug === 'careless' && isColdStart),
    ).toHaveLength(1);
  });

  test('reaches its own project with fetch, and says nothing there about who it is', async () => {
    const version = await project.deploy(
      'inner',
      `Deno.serve(async () => {
        const reply = await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/planets?a=b', {
          headers: { 'x-forwarded-for': '1.2.3.4', forwarded: 'for=1.2.3.4', 'x-rowhouse-caller': 'admin', apikey: 'k' } });
        return new Response(await reply.text(), { headers: { 'x-seen': reply.headers.get('x-seen') } });
      });`,
    );
    const reply = await project.call(version);
    expect(reply.text).toBe('GET /rest/v1/planets?a=b of the project');
    const seen = JSON.parse(reply.headers.get('x-seen') ?? '');
    expect(seen).toMatchObject({ host: 'p1.localhost:8000', apikey: 'k' });
    expect(Object.keys(seen).filter((name) => /forwarded|rowhouse/.test(name))).toEqual([]);
  });

  test('reads its secrets and no other variable', async () => {
    project.secrets = { STRIPE_KEY: 'sk_1', LD_PRELOAD: '/x', ROWHOUSE_URL: 'http://evil' };
    const version = await project.deploy(
      'secretive',
      `const names = ['STRIPE_KEY', 'ROWHOUSE_URL', 'ROWHOUSE_FUNCTION', 'LD_PRELOAD', 'PATH', 'DENO_DIR', 'HOME'];
      Deno.serve(() => Response.json(names.map((name) => Deno.env.get(name) ?? 'none')));`,
    );
    expect(JSON.parse((await project.call(version)).text)).toEqual([
      'sk_1',
      'http://p1.localhost:8000',
      'secretive',
      ...Array.from({ length: 4 }, () => 'none'),
    ]);
    project.secrets = { STRIPE_KEY: 'sk_2' };
    project.functions.restart();
    expect(JSON.parse((await project.call(version)).text)[0]).toBe('sk_2');
  });
});
