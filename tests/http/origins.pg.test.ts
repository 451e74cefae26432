// What administrators read of the origins that a project trusts, and that requests are answered by the same rules.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { operatorHeaders } from './administration.js';

const path = '/api/admin/auth/origins';
let deployment: Deployment;
let project: ProjectUnderTest;
let own: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const listed = asRecord((await project.asService({ path })).body)['trusted'];
  own = Array.isArray(listed) ? String(asRecord(listed[0])['origin']) : '';
  const body = {
    siteUrl: 'https://app.example.org/start',
    redirectUrls: ['https://*.example.net', 'http://shop.test:*', 'myapp://callback'],
  };
  const saved = await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/auth.urls',
    body,
  });
  expect(saved.status).toBe(200);
});
afterAll(() => deployment.close());

const ask = async (origin: string) =>
  asRecord(
    (await project.asService({ path: `${path}?origin=${encodeURIComponent(origin)}` })).body,
  );

test('they are those of the project, of its settings and of the machine, without addresses of apps', async () => {
  const { trusted, check } = asRecord((await project.asService({ path })).body);
  expect(check).toBeNull();
  expect(trusted).toEqual([
    { origin: own, source: 'project' },
    { origin: 'https://app.example.org', source: 'settings' },
    { origin: 'https://*.example.net', source: 'settings' },
    { origin: 'http://shop.test:*', source: 'settings' },
    { origin: 'http://localhost:*', source: 'machine' },
    { origin: 'http://127.0.0.1:*', source: 'machine' },
  ]);
});

describe('a request of a page is answered as the check says', () => {
  test.each([
    { origin: 'https://app.example.org', cookies: 'always' },
    { origin: 'https://app.example.org:8443', cookies: 'never' },
    { origin: 'http://app.example.org', cookies: 'never' },
    { origin: 'https://a.b.example.net', cookies: 'always' },
    { origin: 'https://example.net', cookies: 'never' },
    { origin: 'http://shop.test:3000', cookies: 'always' },
    { origin: 'http://localhost:5173', cookies: 'always' },
    { origin: 'https://evil.example.org', cookies: 'never' },
  ])('$origin: $cookies', async ({ origin, cookies }) => {
    const { check } = await ask(origin);
    expect(check).toMatchObject({ origin, isExact: true, cookies });
    const { headers } = await project.send({ path: '/api/health-check', headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe(origin);
    const allowed = headers['access-control-allow-credentials'] === 'true';
    expect(allowed).toBe(cookies === 'always');
  });
});

test.each([
  {
    text: 'https://app.example.org/path?x=1',
    origin: 'https://app.example.org',
    cookies: 'always',
  },
  { text: 'HTTPS://APP.example.org', origin: 'https://app.example.org', cookies: 'always' },
  { text: 'app.example.org', origin: null, cookies: 'never' },
  { text: 'null', origin: null, cookies: 'never' },
  { text: 'myapp://callback', origin: null, cookies: 'never' },
  { text: '', origin: null, cookies: 'never' },
])('"$text" is read as $origin', async ({ text, origin, cookies }) => {
  expect((await ask(text))['check']).toMatchObject({ origin, isExact: false, cookies });
});

test('a verified domain is trusted for requests to itself', async () => {
  const domain = `d${Date.now().toString(36)}.example.org`;
  const domains = `/platform/projects/${project.ref}/domains`;
  await deployment.console({ method: 'POST', path: domains, body: { domain } });
  const vouched = await deployment.console({ method: 'POST', path: `${domains}/${domain}/vouch` });
  expect(vouched.status).toBe(200);
  const { port } = new URL(own);
  const origin = `http://${domain}:${port}`;
  await expect
    .poll(async () => (await ask(origin))['check'], { timeout: 20_000 })
    .toMatchObject({ cookies: 'own-domain', by: { origin, source: 'domain' } });
});

test('it takes secrets.manage, and an address of 2,000 characters at most', async () => {
  expect((await project.send({ path })).status).toBe(401);
  const headers = operatorHeaders(deployment, project, ['settings.manage', 'content.read']);
  expect((await project.send({ path, headers })).status).toBe(403);
  const long = `${path}?origin=https://${'a'.repeat(2_000)}.example.org`;
  expect(await project.asService({ path: long })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_INPUT' },
  });
});

test('another project has its own list', async () => {
  const other = await deployment.createProject();
  const reply = await other.asService({ path });
  expect(reply.text).not.toContain('app.example.org');
  expect(reply.text).toContain(other.ref);
  const stolen = await other.send({ path, headers: { apikey: project.secretKey } });
  expect(stolen.status).toBe(401);
});
