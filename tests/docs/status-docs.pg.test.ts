// docs/status.md: the routes that it names exist, and those that it says do not exist return 404.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { getGroup } from '#libs/settings';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

const page = readFileSync('docs/status.md', 'utf8');
const [present = '', missing = ''] = page.split('\n## Not yet\n');
const routesIn = (text: string) =>
  [...text.matchAll(/`(GET|POST) (\/[^`]*)`/g)].map(([, method = '', path = '']) => ({
    method,
    path,
  }));

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql('create table notes (id int)');
});
afterAll(() => deployment.close());

test('the page names routes of both kinds', () => {
  expect(routesIn(present).length).toBeGreaterThan(8);
  expect(routesIn(missing).length).toBeGreaterThan(3);
});

/** The figures of the process are shown to this machine only, by this name. */
const hostOf = (path: string): Readonly<Record<string, string>> =>
  path === '/metrics' ? { host: 'localhost' } : {};

test.each(routesIn(present))('$method $path exists', async ({ method, path }) => {
  const body = method === 'POST' ? {} : undefined;
  const { status } = await project.asService({ method, path, body, headers: hostOf(path) });
  expect([404, 405]).not.toContain(status);
  expect(status).toBeLessThan(500);
});

test.each([
  { method: 'POST', path: '/rest/v1/notes', body: { id: 1 }, status: 201 },
  { method: 'GET', path: '/rest/v1/notes', status: 200 },
  { method: 'HEAD', path: '/rest/v1/notes', status: 200 },
  { method: 'PATCH', path: '/rest/v1/notes?id=eq.1', body: { id: 2 }, status: 200 },
  { method: 'DELETE', path: '/rest/v1/notes?id=eq.2', status: 200 },
])('$method of a table exists', async ({ status, ...call }) => {
  expect(present).toMatch(new RegExp(`\\b${call.method}\\b.* on \`/rest/v1/:table\``));
  expect((await project.asService(call)).status).toBe(status);
});

test.each(routesIn(missing))('$method $path does not exist', async ({ method, path }) => {
  const body = method === 'POST' ? {} : undefined;
  expect(await project.asService({ method, path, body })).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  });
});

test('the number of social providers is that of their settings', () => {
  const [, count] = /(\d+) providers/.exec(present) ?? [];
  expect(Number(count)).toBe(Object.keys(getGroup('auth.social').fields).length);
});
