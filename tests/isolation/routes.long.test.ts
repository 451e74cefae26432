// Everything that proves who somebody is in project A, tried on every route of project B.
import { afterAll, describe, expect, test } from 'vitest';

import { isRecord } from '#libs/wire';

import type { Call, Reply } from '../support/http.js';
import { projectRoutes, type TriedRoute, tryRoutes } from './api-routes.js';
import {
  assertionFor,
  openDigest,
  openNeighbors,
  saveSettings,
  signedToken,
  webToken,
} from './neighbors.js';
import { bearer } from '../support/replies.js';

// The routes are the rows of the tables below, so the deployment opens before the tests are named.
const found = await projectRoutes();
const { deployment, a, b, close } = await openNeighbors();
const routes = tryRoutes(found, { a, b });
const jwt = await webToken(a);
const digests = await Promise.all([openDigest(a.project), openDigest(b.project)]);
const digestsNow = () => Promise.all(digests.map((digest) => digest.read()));
afterAll(async () => {
  await Promise.all(digests.map((digest) => digest.close()));
  await close();
});

type Headers = Readonly<Record<string, string>>;

const ofA: readonly { readonly name: string; readonly headers: () => Headers }[] = [
  { name: 'session token', headers: () => bearer(a.user.token) },
  { name: 'session token of an administrator', headers: () => bearer(a.admin.token) },
  { name: 'signed session token', headers: () => bearer(signedToken(a.admin)) },
  { name: 'session cookie', headers: () => ({ cookie: a.admin.cookie }) },
  {
    name: 'session cookie, sent by a page of B',
    headers: () => ({ cookie: a.admin.cookie, origin: `http://${b.project.host}` }),
  },
  {
    name: 'session cookie without its signature',
    headers: () => ({ cookie: `better-auth.session_token=${a.admin.token}` }),
  },
  { name: 'web token', headers: () => bearer(jwt) },
  { name: 'publishable key', headers: () => ({ apikey: a.project.publishableKey }) },
  { name: 'publishable key as bearer', headers: () => bearer(a.project.publishableKey) },
  { name: 'secret key', headers: () => ({ apikey: a.project.secretKey }) },
  { name: 'secret key as bearer', headers: () => bearer(a.project.secretKey) },
  {
    name: 'secret key with a publishable key of B',
    headers: () => ({ apikey: b.project.publishableKey, ...bearer(a.project.secretKey) }),
  },
  {
    name: 'secret key, impersonating a user of B',
    headers: () => ({ apikey: a.project.secretKey, 'x-service-impersonate': b.user.id }),
  },
  { name: 'token for functions', headers: () => ({ 'x-service-edge-token': a.edgeToken }) },
  {
    name: 'operator assertion',
    headers: () => ({ 'x-rowhouse-operator': assertionFor(deployment, a.project.ref) }),
  },
  {
    name: "operator's console token",
    headers: () => bearer(deployment.operatorToken),
  },
  {
    name: "operator's console token as assertion",
    headers: () => ({ 'x-rowhouse-operator': deployment.operatorToken }),
  },
];

/** What of a reply must be the same for everybody who is nobody here. */
function visible({ status, body, text, headers }: Reply): unknown {
  // Taking a cookie away, which nobody but this host can have set, tells nothing.
  const sets = headers['set-cookie']?.filter((cookie) => !cookie.includes('Max-Age=0')) ?? [];
  const content = isRecord(body) ? { ...body, requestId: undefined } : text;
  return { status, content, range: headers['content-range'], sets };
}

const isRefused = ({ status }: Reply): boolean => status === 401 || status === 403;

/** What went wrong: a credential of A that got another answer than nobody gets, and no refusal. */
async function findLeaks(call: Call, { access }: TriedRoute): Promise<readonly unknown[]> {
  const nobody = JSON.stringify(visible(await b.project.send(call)));
  const tries = await Promise.all(
    ofA.map(async ({ name, headers }) => ({
      name,
      reply: await b.project.send({ ...call, headers: { ...call.headers, ...headers() } }),
    })),
  );
  const isLeak = (reply: Reply): boolean => {
    if (b.secrets.some((secret) => reply.text.includes(secret))) return true;
    if (isRefused(reply)) return false;
    return access.kind !== 'public' || JSON.stringify(visible(reply)) !== nobody;
  };
  return tries
    .filter(({ reply }) => isLeak(reply))
    .map(({ name, reply }) => ({ with: name, answer: visible(reply) }));
}

test('there are routes of every kind', () => {
  const kinds = new Set(routes.map(({ access }) => access.kind));
  expect(kinds).toEqual(new Set(['public', 'signed-in', 'known', 'admin', 'settings-group']));
  expect(routes.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'GET /rest/v1/:table',
      'POST /api/auth/sign-in/email',
      'GET /api/files/object/:bucket/*',
    ]),
  );
});

describe('with what belongs to A, on B', () => {
  test.each(routes)('$name gives what nobody gets, and changes nothing', async (route) => {
    const { calls } = route;
    // What nobody may do here is done before: it is no side effect of A.
    for (const call of calls) await b.project.send(call);
    const before = await digestsNow();
    for (const call of calls) {
      expect({ call, leaks: await findLeaks(call, route) }).toEqual({ call, leaks: [] });
    }
    expect(await digestsNow()).toEqual(before);
  });
});

describe('the same requests with what belongs to B', () => {
  // Without these the suite above could pass because everything is refused to everybody.
  const open = async ({ access, calls }: TriedRoute): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (const [index, call] of calls.entries()) {
      const email = `open-${access.kind}-${Date.now()}-${index}@example.org`;
      const reply = ['admin', 'known', 'settings-group'].includes(access.kind)
        ? await b.project.asService(call)
        : await b.project.as(await b.project.signUp(email), call);
      statuses.push(reply.status);
    }
    return statuses;
  };
  // The users of B are there until the routes below have deleted them.
  test('operator assertions and impersonation open routes', async () => {
    const query = { method: 'POST', path: '/api/admin/sql', body: { query: 'select 1' } };
    const assertion = assertionFor(deployment, b.project.ref);
    const asOperator = await b.project.send({
      ...query,
      headers: { 'x-rowhouse-operator': assertion },
    });
    expect(asOperator.status).toBe(200);
    const asUser = await b.project.asService({
      path: '/rest/v1/notes?select=text',
      headers: { 'x-service-impersonate': b.user.id },
    });
    expect(asUser.body).toEqual([{ text: 'note of b' }]);
    const byCookie = await b.project.send({
      path: '/rest/v1/notes?select=text',
      headers: { cookie: b.user.cookie },
    });
    expect(byCookie.body).toEqual([{ text: 'note of b' }]);
  });

  test.each(routes.filter(({ access }) => access.kind !== 'public'))(
    '$name opens',
    async (route) => {
      for (const status of await open(route)) expect([401, 403]).not.toContain(status);
    },
  );
});

describe('where B demands a key', () => {
  const read = { path: '/rest/v1/posts' };

  test('keys of A are none', async () => {
    await saveSettings(b.project, 'security.keys', { enforced: true });
    try {
      expect((await b.project.send(read)).status).toBe(401);
      for (const { name, headers } of ofA) {
        // The row with a key of B fails for its other key.
        const reply = await b.project.send({ ...read, headers: headers() });
        expect({ name, status: reply.status, body: reply.body }).toMatchObject({
          name,
          status: 401,
        });
      }
      const headers = { apikey: b.project.publishableKey };
      expect((await b.project.send({ ...read, headers })).status).toBe(200);
      const foreign = { ...headers, ...bearer(a.user.token) };
      const own = await b.project.send({ path: '/rest/v1/notes', headers: foreign });
      expect(own.body).toEqual([]);
    } finally {
      await saveSettings(b.project, 'security.keys', { enforced: false });
    }
  });
});
