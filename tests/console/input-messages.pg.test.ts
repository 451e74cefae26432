// What the console answers to input that is wrong: where the mistake is and what to write instead.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startConsole, type TestConsole } from './console-under-test.js';

let site: TestConsole;
let token: string;
beforeAll(async () => {
  site = await startConsole();
  token = await site.signIn(site.admin.email, site.admin.password);
  for (const name of ['One', 'Two']) {
    const made = await site.call('POST', '/platform/organizations', { token, body: { name } });
    expect(made.status).toBe(201);
  }
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const projects = '/platform/projects';
test.each([
  {
    name: 'a date',
    method: 'GET',
    path: '/platform/audit?from=yesterday',
    message: 'from: must be a date and time such as 2030-01-31T12:00:00Z',
  },
  {
    name: 'an empty name',
    method: 'POST',
    path: projects,
    body: { name: '' },
    message: 'name: must not be empty',
  },
  {
    name: 'a long name',
    method: 'POST',
    path: '/platform/organizations',
    body: { name: 'x'.repeat(1000) },
    message: /^name: must have at most \d+ characters$/,
  },
  {
    name: 'a number in the place of a text',
    method: 'POST',
    path: '/platform/login',
    body: { email: 1, password: 'x' },
    message: 'email: must be a text',
  },
  {
    name: 'a text that is missing',
    method: 'POST',
    path: projects,
    body: { ref: 'shop1' },
    message: 'name: is required',
  },
  {
    name: 'a page of no number',
    method: 'GET',
    path: '/platform/audit?limit=many',
    message: 'limit: must be a whole number',
  },
  {
    name: 'several organizations',
    method: 'POST',
    path: projects,
    body: { name: 'Shop' },
    message:
      'organizationId: is required, because you belong to several organizations; GET /platform/organizations lists their ids',
  },
])('$name', async ({ method, path, body, message }) => {
  const reply = await site.call(method, path, { token, ...(body && { body }) });
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  const shown = String(reply.body.message);
  if (typeof message === 'string') expect(shown).toBe(message);
  else expect(shown).toMatch(message);
});

test.each([
  { method: 'GET', path: '/platform/login', allow: 'POST' },
  { method: 'PUT', path: '/platform/projects', allow: 'GET, HEAD, POST' },
  { method: 'PUT', path: '/platform/projects/shop', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'PATCH', path: '/platform/audit', allow: 'GET, HEAD' },
  { method: 'GET', path: '/auth/two-factor/enable', allow: 'POST' },
  { method: 'GET', path: '/platform/operators/x/reset', allow: 'POST' },
  { method: 'POST', path: '/livez', allow: 'GET, HEAD' },
  { method: 'POST', path: '/docs/json', allow: 'GET, HEAD' },
])('$method $path is no method of the path', async ({ method, path, allow }) => {
  const reply = await site.call(method, path, { token });
  expect(reply).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
  expect(reply.headers['allow']).toBe(allow);
});
