// The routes of the console and the paths of its description, compared both ways.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ConsoleRoute, listRoutes } from '#apps/console/server';
import { consolePages } from '#libs/web';

import { startConsole, type TestConsole } from '../console/console-under-test.js';
import { asRecord } from '../support/deployment.js';

let site: TestConsole;
let described: ReadonlySet<string>;
let served: readonly ConsoleRoute[];

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const named = (path: string) => path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}');
const nameOf = ({ method, path }: ConsoleRoute) => `${method} ${named(path)}`;
/** The second name under which the pages of a project's studio ask for the session. */
const aliases = new Map([['GET /admin/session', 'GET /auth/get-session']]);
/** Pages for people and their files, which are no part of the API. */
const pages = new Set(['', ...consolePages, 'assets/:name'].map((path) => `GET /${named(path)}`));

beforeAll(async () => {
  site = await startConsole();
  served = listRoutes(site.app).filter(({ method }) => methods.has(method));
  const { body } = await site.call('GET', '/docs/json');
  described = new Set(
    Object.entries(asRecord(asRecord(body)['paths'])).flatMap(([path, item]) =>
      Object.keys(asRecord(item)).map((verb) => `${verb.toUpperCase()} ${path}`),
    ),
  );
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

test('every route is described', () => {
  const names = served.map(nameOf).filter((name) => !pages.has(name));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !described.has(aliases.get(name) ?? name))).toEqual([]);
});

test('everything that is described is served', () => {
  const names = new Set(served.map(nameOf));
  expect([...described].filter((name) => !names.has(name))).toEqual([]);
});
