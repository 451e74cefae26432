// The 404 of a route that the settings turn off: administrators read which setting it needs, and no other caller does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { projectRoutes } from '../isolation/api-routes.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeSignedIn, operatorHeaders } from './administration.js';
import { bearer } from '../support/replies.js';

const engineRoutes = (await projectRoutes()).filter(({ path }) =>
  /^\/api\/auth\/[^*]+$/.test(path),
);
const off = [
  'auth.methods.magicLink',
  'auth.methods.emailOTP',
  'auth.methods.emailPassword',
  'auth.organization',
];

let deployment: Deployment;
let project: ProjectUnderTest;
let admin: SignedIn;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
  user = await project.signUp('user@example.org');
  const save = (group: string, body: object) =>
    project.asService({ method: 'PUT', path: `/api/admin/settings/${group}`, body });
  for (const group of off) expect((await save(group, { enabled: false })).status).toBe(200);
  const storage = { images: { enabled: false } };
  expect((await save('storage', storage)).status).toBe(200);
  expect((await save('security.rateLimit', { enabled: false })).status).toBe(200);
});
afterAll(() => deployment.close());

const image = { method: 'GET', path: '/storage/v1/render/image?bucket=a&path=b.png' };
const examples = [
  {
    method: 'POST',
    path: '/api/auth/sign-in/magic-link',
    setting: 'auth.methods.magicLink.enabled',
  },
  {
    method: 'POST',
    path: '/api/auth/sign-in/email',
    setting: 'auth.methods.emailPassword.enabled',
  },
  { method: 'GET', path: '/api/auth/organization/list', setting: 'auth.organization.enabled' },
  { method: 'GET', path: '/api/auth/callback/google', setting: 'auth.social' },
  { ...image, setting: 'storage.images.enabled' },
];

describe.each(examples)('$method $path', ({ method, path, setting }) => {
  const call = (headers: Readonly<Record<string, string>>) => {
    const body = method === 'POST' ? { body: {} } : {};
    return project.send({ method, path, headers, ...body });
  };

  test.each([
    { name: 'the secret key', headers: () => ({ apikey: project.secretKey }) },
    { name: 'an administrator', headers: () => bearer(admin) },
    { name: 'an operator', headers: () => operatorHeaders(deployment, project, ['content.read']) },
  ])('$name reads the setting', async ({ headers }) => {
    const { status, body } = await call(headers());
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'NOT_FOUND', hint: expect.stringContaining(setting) });
  });

  test.each([
    { name: 'a visitor', headers: () => ({}) },
    { name: 'the publishable key', headers: () => ({ apikey: project.publishableKey }) },
    { name: 'a user', headers: () => bearer(user) },
    {
      name: 'the secret key as a visitor',
      headers: () => ({ apikey: project.secretKey, 'x-service-impersonate': 'anon' }),
    },
  ])('$name does not', async ({ headers }) => {
    const { status, body } = await call(headers());
    expect(status).toBe(404);
    expect(Object.keys(asRecord(body)).sort()).toEqual(['code', 'message', 'requestId', 'status']);
  });
});

test.each(engineRoutes)('$method $path has a hint if it is off', async ({ method, path }) => {
  const call = {
    method,
    path: path.replace(/:\w+/g, 'abc'),
    ...(method === 'POST' && { body: {} }),
  };
  const { status, text } = await project.asService(call);
  const isOff = status === 404 && text.includes('"code":"NOT_FOUND"');
  expect(text.includes('"hint":"The settings turn this route off')).toBe(isOff);
});

test('an address without a route has none', async () => {
  const { status, body } = await project.asService({ path: '/api/auth/nothing' });
  expect(status).toBe(404);
  expect(asRecord(body)).not.toHaveProperty('hint');
});
