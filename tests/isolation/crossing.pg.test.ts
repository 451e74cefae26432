// What happens to one project stays with it: limits, cookies, keys, pauses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { projectRoutes, tryRoutes } from './api-routes.js';
import { assertionFor, openNeighbors, saveSettings } from './neighbors.js';

// The routes are the rows of a table below, so the deployment opens before the tests are named.
const found = await projectRoutes();
const { deployment, a, b, close } = await openNeighbors();
const routes = tryRoutes(found, { a, b });
afterAll(close);

const attempt = (project: ProjectUnderTest, email: string, password: string): Promise<Reply> =>
  project.send({ method: 'POST', path: '/api/auth/sign-in/email', body: { email, password } });

test('who has used up the attempts at A may still sign in at B', async () => {
  await saveSettings(a.project, 'security.rateLimit', { credentialMax: 2, max: 1_000_000 });
  try {
    const refused = async () => {
      const { status } = await attempt(a.project, a.user.email, 'a wrong password');
      return status === 429;
    };
    await waitFor(refused);
    expect((await attempt(a.project, a.user.email, userPassword)).status).toBe(429);
    expect((await attempt(b.project, b.user.email, userPassword)).status).toBe(200);
  } finally {
    await saveSettings(a.project, 'security.rateLimit', {
      max: 1_000_000,
      credentialMax: 1_000_000,
    });
  }
});

test('a password of A opens nothing at B, not even for the same address', async () => {
  const email = 'both@example.org';
  await a.project.signUp(email);
  const sameAddress = { email, password: 'another good password' };
  const path = '/api/auth/sign-up/email';
  expect((await b.project.send({ method: 'POST', path, body: sameAddress })).status).toBe(200);
  expect((await attempt(b.project, email, userPassword)).status).toBe(401);
  expect((await attempt(a.project, email, userPassword)).status).toBe(200);
});

test('cookies stay with the host that set them', async () => {
  const { headers } = await attempt(a.project, a.user.email, userPassword);
  const cookies = headers['set-cookie'] ?? [];
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie.toLowerCase()).not.toContain('domain=');
    expect(cookie.toLowerCase()).toContain('httponly');
  }
});

describe('pages of A', () => {
  const origin = () => `http://${a.project.host}:${new URL(deployment.apiOrigin).port}`;
  beforeAll(() => saveSettings(b.project, 'auth.urls', { siteUrl: 'https://app.example.org' }));
  afterAll(() => saveSettings(b.project, 'auth.urls', {}));

  test('may not use the cookies of B, which the browser would send', async () => {
    const headers = { cookie: b.user.cookie, origin: origin() };
    const rows = await b.project.send({ path: '/rest/v1/notes', headers });
    expect(rows.body).toEqual([]);
    const path = '/api/users/username';
    const change = await b.project.send({
      method: 'PUT',
      path,
      headers,
      body: { username: 'x1y' },
    });
    expect(change.status).toBe(401);
  });

  test('may read answers of B without cookies only', async () => {
    const reply = await b.project.send({
      path: '/rest/v1/posts',
      headers: { origin: origin() },
    });
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    const own = { origin: 'https://app.example.org' };
    const allowed = await b.project.send({ path: '/rest/v1/posts', headers: own });
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example.org');
  });
});

describe('on B, refused with 401', () => {
  const path = '/rest/v1/posts';
  test.each([
    { name: 'the publishable key of A', headers: () => ({ apikey: a.project.publishableKey }) },
    { name: 'the secret key of A', headers: () => ({ apikey: a.project.secretKey }) },
    {
      name: 'an operator assertion for A',
      headers: () => ({ 'x-rowhouse-operator': assertionFor(deployment, a.project.ref) }),
    },
    {
      name: 'an operator assertion for A with a key of B',
      headers: () => ({
        apikey: b.project.secretKey,
        'x-rowhouse-operator': assertionFor(deployment, a.project.ref),
      }),
    },
  ])('$name', async ({ headers }) => {
    expect((await b.project.send({ path, headers: headers() })).status).toBe(401);
    const own = { 'x-rowhouse-operator': assertionFor(deployment, b.project.ref) };
    expect((await b.project.send({ path, headers: own })).status).toBe(200);
  });
});

describe('while A is paused', () => {
  const set = (action: 'pause' | 'resume') =>
    deployment.console({ method: 'POST', path: `/platform/projects/${a.project.ref}/${action}` });
  const statusOf = async () => (await a.project.send({ path: '/rest/v1/posts' })).status;

  beforeAll(async () => {
    expect((await set('pause')).status).toBeLessThan(300);
    await waitFor(async () => (await statusOf()) === 503);
  });
  afterAll(async () => {
    await set('resume');
    await waitFor(async () => (await statusOf()) === 200);
  });

  test.each(routes)('$name of A answers 503 and B answers', async ({ method, calls }) => {
    for (const call of calls) {
      for (const headers of [{}, { apikey: a.project.secretKey }, { cookie: a.user.cookie }]) {
        const reply = await a.project.send({ ...call, headers });
        expect(reply.status).toBe(503);
        if (method !== 'HEAD') expect(reply.body).toMatchObject({ code: 'PROJECT_PAUSED' });
      }
    }
    expect((await b.project.send({ path: '/rest/v1/posts' })).body).toEqual([
      { id: 1, text: 'post of b' },
    ]);
  });

  test('preflights of A are not answered either', async () => {
    const reply = await a.project.send({
      method: 'OPTIONS',
      path: '/rest/v1/posts',
      headers: { origin: 'http://localhost', 'access-control-request-method': 'GET' },
    });
    expect(reply.status).toBe(503);
  });
});
