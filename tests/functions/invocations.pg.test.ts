// What passes between a client and a function.
import { get, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord, type Deployment } from '../support/deployment.js';
import { type EdgeProject, openEdgeProject, saying } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

const echo = `Deno.serve(async (request) => {
  const { method, url, headers } = request;
  return Response.json({ method, url, headers: Object.fromEntries(headers), body: await request.text() });
});`;
/** Does what the path says. */
const various = `
let gone = 0;
Deno.serve((request) => {
  const url = new URL(request.url);
  switch (url.pathname.split('/').at(-1)) {
    case 'status': return new Response(null, { status: Number(url.searchParams.get('is')) });
    case 'redirect': return Response.redirect('https://example.com/there', 303);
    case 'cookies': {
      const headers = new Headers({ vary: 'x-color', 'content-type': 'text/x-own' });
      headers.append('set-cookie', 'a=1');
      headers.append('set-cookie', 'b=2');
      headers.set('access-control-allow-origin', 'https://evil.example');
      return new Response('cookies', { headers });
    }
    case 'events': {
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode('data: 1\\n\\n')),
        cancel: () => void (gone += 1),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    case 'gone': return Response.json(gone);
    case 'upload': return new Response(request.body);
    case 'untyped': return new Response(new TextEncoder().encode('bytes'));
    case 'throw': throw new Error('a fault of the function');
  }
  return new Response('hello');
});`;

describeWithDeno('a call of a function', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
    await Promise.all([edge.create('echo', echo), edge.create('various', various)]);
  }, 60_000);
  afterAll(() => deployment.close());

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'])('%s', async (method) => {
    const hasBody = method !== 'GET';
    const { port } = new URL(edge.project.apiOrigin);
    const reply = await edge.call('echo/a/b?c=d%20e', { method, ...(hasBody && { body: 'text' }) });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      method,
      url: `http://${edge.project.host}:${port}/api/edge/echo/a/b?c=d%20e`,
      body: hasBody ? 'text' : '',
    });
  });

  test.each(['DELETE', 'OPTIONS', 'PUT'])(
    'the body of %s without a length stays a body, and is no request of its own',
    async (method) => {
      const hidden = 'POST /hidden HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n';
      const { project } = edge;
      const { port, hostname } = new URL(project.apiOrigin);
      const socket = connect(Number(port), hostname);
      const head = `${method} /api/edge/echo HTTP/1.1\r\nHost: ${project.host}\r\napikey: ${project.secretKey}`;
      const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
      socket.write(`${head}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}`);
      expect(await text(socket)).toContain(JSON.stringify(hidden));
      const next = await edge.call('echo/next');
      expect(next.body).toMatchObject({ method: 'GET', body: '' });
    },
  );

  test('HEAD has the headers without the body', async () => {
    const reply = await edge.call('various/cookies', { method: 'HEAD' });
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([
      200,
      '',
      'text/x-own',
    ]);
  });

  test('headers reach it, without credentials of the platform and what the client claims', async () => {
    const reply = await edge.call('echo', {
      headers: {
        apikey: edge.project.secretKey,
        authorization: `Bearer ${edge.project.secretKey}`,
        cookie: 'a=1',
        connection: 'x-hop',
        'x-hop': '1',
        'x-own': 'kept',
        'x-forwarded-for': '1.2.3.4',
        'x-rowhouse-caller': 'forged',
        'x-service-edge-token': 'svc_edge_x',
      },
    });
    const headers = asRecord(asRecord(reply.body)['headers']);
    const forwarded = { 'x-own': 'kept', 'x-forwarded-for': '127.0.0.1' };
    expect(headers).toMatchObject({
      ...forwarded,
      'x-rowhouse-caller': expect.stringMatching(/^ey/),
    });
    for (const name of ['apikey', 'authorization', 'cookie', 'x-hop', 'x-service-edge-token']) {
      expect(headers).not.toHaveProperty([name]);
    }
  });

  test('headers of the answer win, but for those of CORS', async () => {
    const { secretKey } = edge.project;
    const headers = { apikey: secretKey, origin: 'https://app.example', 'x-request-id': 'mine' };
    const reply = await edge.call('various/cookies', { headers });
    expect(reply.headers).toMatchObject({
      'set-cookie': ['a=1', 'b=2'],
      'content-type': 'text/x-own',
      vary: 'Origin, x-color',
      'access-control-allow-origin': 'https://app.example',
      'x-request-id': 'mine',
    });
  });

  test.each([201, 204, 304, 404, 500, 599])('the status %i', async (status) => {
    const reply = await edge.call(`various/status?is=${status}`);
    expect([reply.status, reply.text]).toEqual([status, '']);
  });

  test('an answer without a type gets none', async () => {
    const reply = await edge.call('various/untyped');
    expect([reply.text, reply.headers['content-type']]).toEqual(['bytes', undefined]);
  });

  test('a redirection is for the client', async () => {
    const reply = await edge.call('various/redirect');
    expect([reply.status, reply.headers.location]).toEqual([303, 'https://example.com/there']);
  });

  test('a function that throws answers 500, and says nothing about why', async () => {
    const reply = await edge.call('various/throw');
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain('a fault');
  });

  test('events arrive as they come, and the function learns that the client has left', async () => {
    const { apiOrigin, host, secretKey } = edge.project;
    const headers = { host, apikey: secretKey };
    await new Promise<void>((resolve, reject) => {
      const sent = get(`${apiOrigin}/api/edge/various/events`, { headers }, (response) => {
        response.once('data', (chunk: Buffer) => {
          expect(chunk.toString()).toBe('data: 1\n\n');
          sent.destroy();
          resolve();
        });
      });
      sent.on('error', reject);
    });
    await waitFor(async () => (await edge.call('various/gone')).text === '1');
  });

  test('a body is passed on while it comes', async () => {
    const { apiOrigin, host, secretKey } = edge.project;
    const received = await new Promise<string>((resolve, reject) => {
      const sent = httpRequest(
        `${apiOrigin}/api/edge/various/upload`,
        { method: 'POST', headers: { host, apikey: secretKey } },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            // The second half is sent when the first one has come back.
            if (text === 'one') sent.end('two');
          });
          response.on('end', () => resolve(text));
        },
      );
      sent.on('error', reject);
      sent.write('one');
    });
    expect(received).toBe('onetwo');
  });

  test('a body above the limit of the settings is refused, with a length and without', async () => {
    await edge.project.asService({
      method: 'PUT',
      path: '/api/admin/settings/functions',
      body: { maxRequestBytes: 1024 },
    });
    const refusal = { status: 413, body: { code: 'FUNCTION_BODY_TOO_LARGE' } };
    const body = 'x'.repeat(2000);
    expect(await edge.call('echo', { method: 'POST', body })).toMatchObject(refusal);
    const { apiOrigin, host, secretKey } = edge.project;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host, apikey: secretKey };
      const sent = httpRequest(`${apiOrigin}/api/edge/echo`, { method: 'POST', headers });
      sent.on('response', ({ statusCode }) => resolve(statusCode));
      sent.on('error', reject);
      // Not in one piece with the headers: it has no length.
      sent.write(body);
      sent.end(body);
    });
    expect(status).toBe(413);
  });

  test('the longest route answers, on borders of segments', async () => {
    await edge.create('pay', saying('pay'));
    await edge.create('hook', saying('hook'), { route: 'pay/webhook' });
    expect((await edge.call('pay/webhook/x')).text).toBe('hook');
    expect((await edge.call('pay/webhooks')).text).toBe('pay');
    const missing = await edge.call('payment');
    expect(missing).toMatchObject({ status: 404, body: { code: 'FUNCTION_ROUTE_NOT_FOUND' } });
  });

  test('a CAPTCHA guards the calls that the settings name', async () => {
    const save = (body: object) => {
      const path = '/api/admin/settings/auth.attackProtection';
      return edge.project.asService({ method: 'PUT', path, body });
    };
    const captchaRoutes = ['POST /api/edge/echo/*'];
    const saved = await save({ captchaEnabled: true, captchaSecret: 'secret', captchaRoutes });
    expect(saved.status).toBe(200);
    const refused = await edge.call('echo/x', { method: 'POST', body: 'a' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'CAPTCHA_MISSING' } });
    expect((await edge.call('echo/x')).status).toBe(200);
    await save({});
  });

  test('a page of another origin asks before it sends', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
    const reply = await edge.call('echo', { method: 'OPTIONS', headers });
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-methods']).toContain('PUT');
  });
});
