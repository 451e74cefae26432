// Who may call a function, and what it learns about its caller.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { SignedIn } from '../support/project.js';
import { bearer } from '../support/replies.js';
import { claimsIn, EdgeProject, openEdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

const whoami = `Deno.serve((request) => Response.json({
  token: request.headers.get('x-rowhouse-caller'),
  key: Deno.env.get('ROWHOUSE_CALLER_KEY'),
}));`;

describeWithDeno('the caller of a function', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  let user: SignedIn;
  let banned: SignedIn;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
    await edge.create('closed', whoami);
    await edge.create('open', whoami, { isPublic: true });
    user = await edge.project.signUp('user@example.org');
    banned = await edge.project.signUp('banned@example.org');
    await asSuperuser(`update auth."user" set status = 'inactive' where id = $1`, {
      database: edge.project.database,
      values: [banned.id],
    });
    const token = async (name: string, more: object = {}) => {
      const { token: made } = await edge.asked('POST', '/tokens', { name, ...more });
      return String(made);
    };
    tokens['all'] = await token('all');
    tokens['one'] = await token('one', { functions: ['closed'] });
    tokens['other'] = await token('other', { functions: ['open'] });
  }, 60_000);
  afterAll(() => deployment.close());

  const own = () => ({
    nothing: {},
    publishable: { apikey: edge.project.publishableKey },
    session: bearer(user),
    cookie: { cookie: user.cookie },
    secret: { apikey: edge.project.secretKey },
    impersonated: { apikey: edge.project.secretKey, 'x-service-impersonate': user.id },
    visitor: { apikey: edge.project.secretKey, 'x-service-impersonate': 'anon' },
    invented: bearer('invented'),
    banned: bearer(banned),
    token: { 'x-service-edge-token': tokens['all'] ?? '' },
    ofClosed: { 'x-service-edge-token': tokens['one'] ?? '' },
    ofOpen: { 'x-service-edge-token': tokens['other'] ?? '' },
    noToken: { 'x-service-edge-token': 'svc_edge_invented' },
  });
  type Who = keyof ReturnType<typeof own>;

  const rows: readonly [Who, number, number, object][] = [
    ['nothing', 401, 200, { role: 'anon', via: 'none' }],
    ['publishable', 401, 200, { role: 'anon', via: 'none' }],
    ['session', 200, 200, { role: 'authenticated', via: 'session', email: 'user@example.org' }],
    ['cookie', 200, 200, { role: 'authenticated', via: 'session' }],
    ['secret', 200, 200, { role: 'service_role', via: 'secret-key' }],
    ['impersonated', 200, 200, { role: 'authenticated', via: 'impersonation' }],
    ['visitor', 200, 200, { role: 'anon', via: 'impersonation' }],
    ['invented', 401, 200, { role: 'anon', via: 'none' }],
    ['banned', 403, 403, {}],
    ['token', 200, 200, { role: 'anon', via: 'token' }],
    ['ofClosed', 200, 200, { role: 'anon' }],
    ['ofOpen', 401, 200, { role: 'anon', via: 'token' }],
    ['noToken', 401, 200, { role: 'anon', via: 'none' }],
  ];
  test.each(rows)('%s: closed %i, public %i', async (who, closed, open, claims) => {
    const headers = own()[who];
    const replies = [await edge.call('closed', { headers }), await edge.call('open', { headers })];
    expect(replies.map(({ status }) => status)).toEqual([closed, open]);
    for (const reply of replies.filter(({ status }) => status === 200)) {
      expect(claimsIn(reply.body)).toMatchObject(
        reply === replies[1] ? claims : { role: expect.any(String) },
      );
    }
  });

  test('the token of a caller names a user with claims, and expires after a minute', async () => {
    const { body } = await edge.call('closed', { headers: bearer(user) });
    const claims = claimsIn(body);
    expect(claims).toMatchObject({ sub: user.id, claims: { sub: user.id, role: 'authenticated' } });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(60);
  });

  test('where keys are enforced, a token alone is enough', async () => {
    const path = '/api/admin/settings/security.keys';
    const save = (body: object) => edge.project.asService({ method: 'PUT', path, body });
    expect((await save({ enforced: true })).status).toBe(200);
    try {
      expect((await edge.call('closed', { headers: own().token })).status).toBe(200);
      expect((await edge.call('closed', { headers: {} })).status).toBe(401);
    } finally {
      await save({ enforced: false });
    }
  });

  test('a revoked token ends with the next call; lists never have a token', async () => {
    const { id, token, hint } = await edge.asked('POST', '/tokens', { name: 'short' });
    const headers = { 'x-service-edge-token': String(token) };
    expect((await edge.call('closed', { headers })).status).toBe(200);
    const listed = (await edge.list('/tokens', 'tokens')).find((each) => each['id'] === id);
    expect(listed).toMatchObject({ hint, lastUsedAt: expect.any(String) });
    expect((await edge.admin('GET', '/tokens')).text).not.toContain(String(token));
    expect((await edge.admin('DELETE', `/tokens/${String(id)}`)).status).toBe(204);
    expect((await edge.call('closed', { headers })).status).toBe(401);
    const again = await edge.admin('DELETE', `/tokens/${String(id)}`);
    expect(again).toMatchObject({ status: 404, body: { code: 'FUNCTION_TOKEN_NOT_FOUND' } });
  });

  test('a public function is closed where the deployment does not permit it', async () => {
    const closed = await Deployment.shared();
    try {
      const other = new EdgeProject(await closed.createProject());
      await other.create('open', whoami, { isPublic: true });
      expect((await other.call('open', { headers: {} })).status).toBe(401);
      expect((await other.call('open')).status).toBe(200);
      // What proves something in one project proves nothing in another.
      expect((await other.call('open', { headers: own().token })).status).toBe(401);
      expect((await other.call('open', { headers: bearer(user) })).status).toBe(401);
    } finally {
      await closed.close();
    }
  });
});
