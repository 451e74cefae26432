// Every route of both applications while the database server is stopped, and after it has been started again.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import { createConsoleApp, listRoutes as listConsoleRoutes } from '#apps/console/server';
import { openControlPlane } from '#libs/control-plane';
import { waitFor } from '#libs/testing';

import { projectRoutes, tryRoutes } from '../isolation/api-routes.js';
import { depsOf } from '../console/console-under-test.js';
import type { Call, Reply } from '../support/http.js';
import { Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { OwnServer } from './own-server.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const away = { status: 503, code: 'DATABASE_UNAVAILABLE', reason: 'disconnected' };
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** What the console answers without a database. */
const ofProcess = new Set([
  'GET /',
  'GET /livez',
  'GET /client.tgz',
  'GET /client.js',
  'GET /client-channels.js',
  'GET /invitation',
]);

let server: OwnServer;
let deployment: Deployment;
let live: ProjectUnderTest;
let idle: ProjectUnderTest;
let user: SignedIn;
let consoleRoutes: readonly { readonly method: string; readonly path: string }[];

beforeAll(async () => {
  server = await OwnServer.start();
  deployment = await Deployment.open({ databaseUrl: server.url });
  live = await deployment.createProject();
  // Nobody asks for this one before the outage, so it is not open.
  idle = await deployment.createProject();
  user = await live.signUp('user@example.org');
  await live.sql('create table notes (id int primary key); create table posts (id int)');
  consoleRoutes = await routesOfConsole();
  await server.stop();
});
afterAll(async () => {
  await server.startAgain().catch(() => undefined);
  await deployment.stop();
  await server.remove();
});

/** The routes of the console, from an application that never listens. */
async function routesOfConsole() {
  const controlPlane = await openControlPlane({
    databaseUrl: server.url,
    databaseName: deployment.ground.databaseName,
    masterKey: deployment.ground.masterKey,
    reservedRefs: [],
  });
  const app = await createConsoleApp(depsOf(controlPlane));
  const routes = listConsoleRoutes(app).filter(({ method }) => methods.has(method));
  await app.close();
  await controlPlane.close();
  return routes;
}

/** The requests of the isolation suite, all to things of one project. */
async function callsTo(project: ProjectUnderTest): Promise<{ name: string; call: Call }[]> {
  const seeded = {
    project,
    user,
    admin: user,
    secrets: [],
    fileId: '00000000-0000-4000-8000-000000000000',
    calls: [],
    edgeToken: 'svc_edge_none',
  };
  const tried = tryRoutes(await projectRoutes(), { a: seeded, b: seeded });
  return tried.flatMap(({ name, calls }) => calls.slice(0, 1).map((call) => ({ name, call })));
}

function factsOf({ status, body }: Reply) {
  const { code, details }: { code?: unknown; details?: { reason?: unknown } } = Object(body);
  return { status, code, reason: details?.reason };
}

/** Answers to HEAD have no body, and the health document is one of its own. */
function isAway(reply: Reply, { method, path }: Call): boolean {
  if (method === 'HEAD') return reply.status === 503;
  if (path === '/api/health-check') return Object(reply.body).db === 'disconnected';
  return (
    JSON.stringify(factsOf(reply)) === JSON.stringify(away) && reply.headers['retry-after'] === '1'
  );
}

describe('while the database server is stopped', () => {
  test('every route of a project that is not open answers 503', async () => {
    const wrong: unknown[] = [];
    for (const { name, call } of await callsTo(idle)) {
      const reply = await idle.asService(call);
      if (!isAway(reply, call)) wrong.push([name, factsOf(reply), reply.text]);
    }
    expect(wrong).toEqual([]);
  });

  test.each(['service', 'user'] as const)(
    'every route of an open project answers 503, or what needs no database, to its %s',
    async (who) => {
      const wrong: unknown[] = [];
      let refused = 0;
      for (const { name, call } of await callsTo(live)) {
        const reply = who === 'service' ? await live.asService(call) : await live.as(user, call);
        if (isAway(reply, call)) refused += 1;
        else if (reply.status >= 500) wrong.push([name, factsOf(reply), reply.text]);
      }
      expect(wrong).toEqual([]);
      expect(refused).toBeGreaterThan(100);
    },
  );

  test.each(['live', 'idle'] as const)(
    'the health document of a project (%s) says so',
    async (which) => {
      const project = which === 'live' ? live : idle;
      const reply = await project.send({ path: '/api/health-check' });
      expect(reply).toMatchObject({
        status: 503,
        body: { message: expect.any(String), status: 503, db: 'disconnected' },
      });
    },
  );

  test('every route of the console answers 503', async () => {
    const wrong: unknown[] = [];
    for (const { method, path } of consoleRoutes) {
      const name = `${method} ${path}`;
      if (ofProcess.has(name)) continue;
      const call = consoleCall(method, path);
      const reply = await deployment.console(call);
      if (!isAway(reply, call)) wrong.push([name, factsOf(reply), reply.text]);
    }
    expect(wrong).toEqual([]);
  });

  test('both processes are alive and not ready', async () => {
    for (const origin of [deployment.apiOrigin, deployment.consoleOrigin]) {
      expect((await send(origin, { path: '/livez' })).status).toBe(200);
      expect(factsOf(await send(origin, { path: '/readyz' }))).toEqual(away);
    }
  });
});

test('seconds after the server has been started again everything answers, without a restart', async () => {
  await server.startAgain();
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all([
      send(deployment.apiOrigin, { path: '/readyz' }).then(({ status }) => status),
      send(deployment.consoleOrigin, { path: '/readyz' }).then(({ status }) => status),
      live.asService({ path: '/rest/v1/notes' }).then(({ status }) => status),
      live.as(user, { path: '/api/auth/get-session' }).then(({ status }) => status),
      idle.send({ path: '/api/health-check' }).then(({ status }) => status),
      deployment.console({ path: '/platform/projects' }).then(({ status }) => status),
    ]);
  await waitFor(async () => (await statuses()).every((status) => status === 200));
  // Signals between processes are back as well.
  const made = await deployment.createProject();
  expect((await made.send({ path: '/api/health-check' })).status).toBe(200);
});

/** A body that passes the checks of the form, because those come before any question to the database. */
function consoleCall(method: string, path: string): Call {
  const filled = path
    .replace(':ref', live.ref)
    .replace('*', 'health-check')
    .replace(/:\w+/g, 'unknown');
  const body = {
    organizationId: 'unknown',
    email: 'somebody@example.org',
    password: 'a long enough password',
  };
  return {
    method,
    path: `${filled}?organizationId=unknown`,
    ...(method !== 'GET' && { body }),
  };
}
