// Hooks that name an edge function.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord, type Deployment } from '../support/deployment.js';
import { bearer } from '../support/replies.js';
import { claimsIn, type EdgeProject, openEdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

/** Answers hooks by the user that they are about, and tells what it has received. */
const hooked = `
const received = [];
const answers = {
  refused: () => Response.json({ decision: 'reject', message: 'Members only' }, { status: 403 }),
  broken: () => Response.json({ error: { message: 'stack trace' } }, { status: 500 }),
  text: () => new Response('<html>'),
  long: () => new Response('"' + 'x'.repeat(70_000) + '"'),
  silent: () => new Promise(() => {}),
};
Deno.serve(async (request) => {
  const key = Deno.env.get('ROWHOUSE_CALLER_KEY');
  if (request.method === 'GET') return Response.json({ received, key });
  const message = await request.json();
  const token = request.headers.get('x-rowhouse-caller');
  const { method, url } = request;
  received.push({ method, url, headers: [...request.headers.keys()], token, message });
  const answer = answers[message.data.user?.email?.split('@')[0]];
  if (message.type === 'hook.signUp' && answer) return answer();
  if (message.type === 'hook.signUp') return Response.json({ app_metadata: { plan: 'free' } });
  if (message.type === 'hook.accessToken') return Response.json({ claims: { plan: 'gold' } });
  return new Response(null, { status: 204 });
});`;

type Json = Readonly<Record<string, unknown>>;
const hook = { enabled: true, target: 'edge', edgeFunction: 'hooked', timeoutMs: 15_000 };

describeWithDeno('a hook that names an edge function', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
    // The route of a function may be another word than its slug.
    await edge.create('hooked', hooked, { route: 'own/hooks' });
    await save({ signUp: hook, accessToken: hook, send: hook, events: hook });
  }, 60_000);
  afterAll(() => deployment.close());

  const put = (body: object) =>
    edge.project.asService({ method: 'PUT', path: '/api/admin/settings/auth.hooks', body });
  const save = async (body: object) => expect((await put(body)).status).toBe(200);
  const received = async (type: string): Promise<Json> => {
    const find = async () => {
      const { received: all, key } = asRecord((await edge.call('own/hooks')).body);
      if (!Array.isArray(all)) throw new Error('no list');
      const found = all.map(asRecord).find((each) => asRecord(each['message'])['type'] === type);
      return found && { ...found, key };
    };
    return waitFor(find, { until: `the function has received ${type}`, ms: 30_000 });
  };
  const deliveries = async (query: string): Promise<readonly Json[]> => {
    const path = `/api/admin/hooks/deliveries${query}`;
    const { deliveries: list } = asRecord((await edge.project.asService({ path })).body);
    return Array.isArray(list) ? list.map(asRecord) : [];
  };
  const tryToSignUp = (name: string) =>
    edge.project.send({
      method: 'POST',
      path: '/api/auth/sign-up/email',
      body: { email: `${name}@example.org`, password: 'a long enough password' },
    });

  test('calls it for a sign-up, a token, a mail and an event', async () => {
    const user = await edge.project.signUp('ada@example.org');
    const { body } = await edge.project.send({ path: '/api/auth/token', headers: bearer(user) });
    const [, payload = ''] = String(asRecord(body)['token']).split('.');
    const claims = asRecord(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    expect(claims).toMatchObject({ sub: user.id, plan: 'gold', app_metadata: { plan: 'free' } });
    const link = { email: 'ada@example.org', callbackURL: '/' };
    const path = '/api/auth/sign-in/magic-link';
    expect((await edge.project.send({ method: 'POST', path, body: link })).status).toBe(200);
    const data = { channel: 'email', kind: 'magicLink', to: 'ada@example.org' };
    expect(await received('hook.send')).toMatchObject({ message: { data } });
    const created = { data: { user: { id: user.id } } };
    expect(await received('user.created')).toMatchObject({ message: created });
  });

  test('posts the message as over HTTP, by the project and with no credential of the user', async () => {
    const call = await received('hook.signUp');
    const { ref, host } = edge.project;
    expect(call).toMatchObject({ method: 'POST', message: { project: ref } });
    expect(new URL(String(call['url']))).toMatchObject({
      hostname: host,
      pathname: '/api/edge/own/hooks',
    });
    expect(claimsIn(call)).toMatchObject({ role: 'service_role', via: 'hook' });
    const names = ['authorization', 'cookie', 'apikey', 'x-forwarded-for', 'user-agent'];
    expect(call['headers']).toEqual(expect.not.arrayContaining(names));
  });

  test('is recorded among the deliveries and the calls of the function', async () => {
    const [delivery] = await deliveries('?hook=accessToken');
    expect(delivery).toMatchObject({
      target: 'hooked',
      status: 'succeeded',
      responseStatus: 200,
    });
    const [call] = await edge.list(
      `/invocations?requestId=${String(delivery?.['eventId'])}`,
      'invocations',
    );
    expect(call).toMatchObject({ caller: 'hook', method: 'POST', path: '/', status: 200 });
  });

  test('refuses a sign-up with the words of the function', async () => {
    expect(await tryToSignUp('refused')).toMatchObject({
      status: 403,
      body: { code: 'SIGNUP_REFUSED', message: 'Members only' },
    });
  });

  test.each([
    { rule: 'fails', name: 'broken', change: {}, error: 'status 500' },
    { rule: 'answers no JSON', name: 'text', change: {}, error: 'not JSON' },
    { rule: 'answers too much', name: 'long', change: {}, error: '65536 bytes' },
    { rule: 'takes too long', name: 'silent', change: { timeoutMs: 500 }, error: 'too long' },
    {
      rule: 'does not exist',
      name: 'none',
      change: { edgeFunction: 'missing' },
      error: 'missing',
    },
  ])('stops a sign-up if the function $rule', async ({ name, change, error }) => {
    await save({ signUp: { ...hook, ...change } });
    expect(await tryToSignUp(name)).toMatchObject({ status: 503, body: { code: 'HOOK_FAILED' } });
    expect((await deliveries('?hook=signUp'))[0]).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(error),
    });
  });

  test.each([
    { rule: 'without a slug', change: { edgeFunction: null }, field: 'signUp.edgeFunction' },
    { rule: 'with a path for a slug', change: { edgeFunction: 'a/b' }, field: 'edgeFunction' },
  ])('is not saved $rule', async ({ change, field }) => {
    const reply = await put({ signUp: { ...hook, ...change } });
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(field)]);
  });
});
