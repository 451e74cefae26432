// The CAPTCHA before the routes, with the router of the API and a provider that we own. Every spelling of a
// path that still reaches a guarded route must be guarded too.
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import Fastify, { type FastifyInstance } from 'fastify';

import { buildCaptcha, type CaptchaCall, type CaptchaGroup } from '#libs/captcha';
import { AppError } from '#libs/errors';
import { freePort } from '#libs/testing';

import { checkCaptcha } from '../../apps/api/src/http/captcha.js';
import { captchaVerifier } from '../support/captcha-verifier.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';

const secret = 'site-secret';
const call: CaptchaCall = async ({ url, method = 'GET', headers, body = null }) => {
  const response = await fetch(url, { method, headers: { ...headers }, body });
  return { status: response.status, text: await response.text() };
};

let provider: HttpRecorder;
let server: FastifyInstance;
let port: number;
let isGuarding = true;

beforeAll(async () => {
  provider = await openHttpRecorder(captchaVerifier({ kind: 'turnstile', secret }));
  const group: CaptchaGroup = {
    captchaEnabled: true,
    captchaProvider: 'turnstile',
    captchaSecret: secret,
    captchaVerifyUrl: `${provider.origin}/siteverify`,
    captchaAuthEndpoints: ['sign-up'],
    captchaRoutes: ['POST /rest/v1/orders', '/api/edge/pay/*'],
  };
  server = await serveGuarded(group);
  port = await freePort();
  await server.listen({ port, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

/** Routes of the shapes that the API has, each telling whether the guarded thing was reached. */
async function serveGuarded(group: CaptchaGroup): Promise<FastifyInstance> {
  const captcha = buildCaptcha(group, call);
  const app = Fastify({ routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true } });
  app.addHook('onRequest', async (request) => {
    const { routeClass } = request.routeOptions.config as { readonly routeClass?: 'sign-up' };
    if (isGuarding) await checkCaptcha(request, captcha, routeClass);
  });
  app.setErrorHandler((error, _request, reply) => {
    const { status, message } =
      error instanceof AppError ? error : { status: 500, message: String(error) };
    return reply.code(status).send({ message });
  });
  const reached = (what: boolean) => ({ reached: what });
  app.all('/api/auth/sign-up/email', { config: { routeClass: 'sign-up' } }, () => reached(true));
  app.all('/api/auth/*', () => reached(false));
  app.all<{ Params: { table: string } }>('/rest/v1/:table', ({ params }) =>
    reached(params.table === 'orders'),
  );
  app.all<{ Params: { '*': string } }>('/api/edge/*', ({ params }) =>
    reached(/^pay(?:\/|$)/.test(params['*'])),
  );
  return app;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** By `node:http`, which sends a path as it stands. */
async function send(path: string, token?: string, method = 'POST'): Promise<Reply> {
  const headers = token === undefined ? {} : { 'x-captcha-response': token };
  const request = httpRequest({ port, path, method, headers });
  request.end();
  const [response]: IncomingMessage[] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response ?? []) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response?.statusCode ?? 0,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const guarded = ['/api/auth/sign-up/email', '/rest/v1/orders', '/api/edge/pay/now'];

describe.each(guarded)('POST %s', (path) => {
  test('needs a proof, and goes on with one', async () => {
    expect(await send(path)).toEqual({
      status: 400,
      body: { message: 'Missing CAPTCHA response' },
    });
    expect(await send(path, 'robot')).toEqual({
      status: 403,
      body: { message: 'Captcha verification failed' },
    });
    const token = `human ${path}`;
    expect(await send(path, token)).toEqual({ status: 200, body: { reached: true } });
    expect(await send(path, token)).toMatchObject({ status: 403 });
  });

  test('is 503 while the provider is away', async () => {
    provider.answerWith(() => 'cut');
    expect(await send(path, 'human')).toMatchObject({ status: 503 });
    provider.answerWith(() => ({ status: 500 }));
    expect(await send(path, 'human')).toMatchObject({ status: 503 });
    provider.answerWith(captchaVerifier({ kind: 'turnstile', secret }));
  });

  test('never asks a preflight', async () => {
    expect(await send(path, undefined, 'OPTIONS')).toMatchObject({ status: 200 });
  });
});

test('the provider is told the address of the visitor', async () => {
  await send('/rest/v1/orders', 'human with an address');
  const { form } = await provider.waitForRequest(
    (request) => request.form.get('response') === 'human with an address',
  );
  expect(form.get('remoteip')).toBe('127.0.0.1');
});

const changes: { name: string; change: (path: string) => string }[] = [
  { name: 'slashes in front', change: (path) => `/${path}` },
  { name: 'a slash twice', change: (path) => path.replace(/\/(?=[^/]*$)/, '//') },
  { name: 'a slash at the end', change: (path) => `${path}/` },
  { name: 'two slashes at the end', change: (path) => `${path}//` },
  { name: 'a dot segment', change: (path) => path.replace(/\/(?=[^/]*$)/, '/./') },
  { name: 'a segment and back', change: (path) => path.replace(/\/(?=[^/]*$)/, '/x/../') },
  { name: 'escaped dots', change: (path) => path.replace(/\/(?=[^/]*$)/, '/x/%2e%2E/') },
  { name: 'an escaped slash', change: (path) => path.replace(/\/(?=[^/]*$)/, '%2F') },
  { name: 'an escaped letter', change: (path) => path.replace(/[a-z](?=[^a-z]*$)/, escaped) },
  { name: 'every letter escaped', change: (path) => path.replace(/[a-z]/g, escaped) },
  { name: 'a letter escaped twice', change: (path) => path.replace(/[a-z]$/, '%25$&') },
  { name: 'a backslash', change: (path) => path.replace(/\/(?=[^/]*$)/, '\\') },
  { name: 'a path parameter', change: (path) => `${path};x=1` },
  { name: 'a query', change: (path) => `${path}?x=/` },
  { name: 'a fragment', change: (path) => `${path}#x` },
  { name: 'upper case', change: (path) => path.toUpperCase() },
  {
    name: 'upper case at the end',
    change: (path) => path.replace(/[^/]*$/, (end) => end.toUpperCase()),
  },
  { name: 'a back step at the end', change: (path) => `${path}/x/..` },
  { name: 'many back steps', change: (path) => `${path}/../../../../x` },
];

function escaped(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

const attempts = guarded.flatMap((path) =>
  changes.map(({ name, change }) => ({ name, path: change(path) })),
);
test.each(attempts)('$name does not lead around the guard: $path', async ({ path }) => {
  isGuarding = false;
  const open = await send(path);
  isGuarding = true;
  const closed = await send(path);
  const isServed = open.status === 200 && JSON.stringify(open.body) === '{"reached":true}';
  expect(isServed && closed.status !== 400).toBe(false);
});

test('some of these spellings do reach the routes, or the test above proves nothing', async () => {
  isGuarding = false;
  const replies = await Promise.all(attempts.map(({ path }) => send(path)));
  isGuarding = true;
  const served = replies.filter(({ body }) => JSON.stringify(body) === '{"reached":true}');
  expect(served.length).toBeGreaterThan(15);
});
