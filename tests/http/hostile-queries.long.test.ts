// No query string holds the event loop, which all projects and the console share, and none is a fault of the server. A
// new route is among the tried ones without a change here.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ConsoleRoute, listRoutes } from '#apps/console/server';

import { startConsole } from '../console/console-under-test.js';
import { projectRoutes } from '../isolation/api-routes.js';
import { Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import { bucketsPath } from '../storage/bucket-rows.js';
import type { ProjectUnderTest } from '../support/project.js';
import { holdsLoop } from './event-loop.js';

const boundMs = 50;
/** The work of a route that refuses its query is over sooner. */
const refusalMs = 20;
/** The API reads heads of up to 32 KB, the console of up to 16 KB. */
const lengths = { api: 31_000, console: 15_000 };

function fill(length: number, make: (at: number) => string): string {
  let query = make(0);
  for (let at = 1; query.length < length; at += 1) query += `&${make(at)}`;
  return query;
}

const manyKeys = (at: number) => `${at.toString(36)}_`;
const oneKey = () => 'limit=1';

type Tried = Pick<ConsoleRoute, 'method' | 'path'>;
/** Without live feeds, which do not end by themselves, and without the second names of routes. */
const readable = (routes: readonly Tried[]) =>
  routes.filter(
    ({ method, path }) => method === 'GET' && !path.endsWith('/feed') && !path.startsWith('/admin'),
  );
const ofApi = readable(await projectRoutes());
const console_ = await startConsole();
const ofConsole = readable(listRoutes(console_.app));
await console_[Symbol.asyncDispose]();

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

async function findFaults(
  of: keyof typeof lengths,
  { method, path }: Tried,
  headers: object,
  { key = manyKeys, ms = boundMs } = {},
): Promise<readonly string[]> {
  const origin = of === 'api' ? deployment.apiOrigin : deployment.consoleOrigin;
  const target = `${path.replace(/:\w+|\*/g, 'abc')}?${fill(lengths[of], key)}`;
  let status = 0;
  const ask = async () => {
    ({ status } = await send(origin, { method, path: target, headers: { ...headers } }));
  };
  return [
    ...((await holdsLoop(ask, ms)) ? ['holds the loop'] : []),
    ...(status >= 500 ? [`answers ${status}`] : []),
  ];
}

describe('every query string is taken or refused, and none holds the event loop', () => {
  test.each(ofApi)('of the API: $method $path', async (route) => {
    const headers = { host: project.host, apikey: project.secretKey };
    expect(await findFaults('api', route, headers)).toEqual([]);
  });

  test.each(ofConsole)('of the console: $method $path', async (route) => {
    const headers = { authorization: `Bearer ${deployment.operatorToken}` };
    expect(await findFaults('console', route, headers)).toEqual([]);
  });

  test.each([
    { name: 'many unknown keys', key: manyKeys },
    { name: 'one key many times', key: oneKey },
  ])('of a visitor who is signed out: $name', async ({ key }) => {
    const slug = `open-${key.name.toLowerCase()}`;
    const body = { slug, public: true };
    const { status } = await project.asService({ method: 'POST', path: bucketsPath, body });
    expect(status).toBe(201);
    const route = { method: 'GET', path: `/api/files/list/${slug}` };
    expect(await findFaults('api', route, { host: project.host }, { key, ms: refusalMs })).toEqual(
      [],
    );
  });
});
