// Requests of clients are counted in each process and written when it ends; the sums are those of all processes.
import { Agent, get } from 'node:http';

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { bearer } from '../support/replies.js';

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.open();
  project = await deployment.createProject();
  // Over the API this would be a request of the project, which its process counts when its minute is over.
  const owner = new pg.Client({ connectionString: project.databaseUrl });
  await owner.connect();
  await owner.query(`create table notes (id int primary key, text text);
    insert into notes select i, repeat('x', 1000) from generate_series(1, 50) i;
    grant select on notes to anon;
    create policy everybody on notes for select using (true)`);
  await owner.end();
}, 60_000);
afterAll(() => deployment.close(), 60_000);

/** Serves requests by a process of its own, which ends then. */
async function serve(work: (origin: string) => Promise<void>): Promise<void> {
  const process = await Deployment.open({}, deployment);
  await work(process.apiOrigin);
  await process.stop();
}

async function total(): Promise<Readonly<Record<string, unknown>>> {
  const path = `/platform/projects/${project.ref}/usage`;
  return asRecord(asRecord((await deployment.console({ path })).body)['total']);
}

const bytesSent = async (): Promise<number> => Number((await total())['bytesSent']);

/** What the list of projects says of the project. */
async function inList(): Promise<Readonly<Record<string, unknown>>> {
  const { projects } = asRecord((await deployment.console({ path: '/platform/usage' })).body);
  const rows = Array.isArray(projects) ? projects.map(asRecord) : [];
  return rows.find(({ ref }) => ref === project.ref) ?? {};
}

test('requests of operators at the console are no use of the project', async () => {
  expect(await inList()).toMatchObject({ lastRequestAt: null });
  const process = await Deployment.open({}, deployment);
  const ask = async (path: string, status: number, headers: Record<string, string> = {}) => {
    const base = `/platform/projects/${project.ref}`;
    const reply = await process.console({ path: base + path, headers });
    expect(reply.status, reply.text).toBe(status);
  };
  await ask('/api/admin/requests', 200);
  await ask('/api/admin/users', 200);
  await ask('/api/admin/users/nobody', 404);
  await ask('/api/rest/v1/notes', 200, { 'x-service-impersonate': 'anon' });
  await ask('/api/rest/v1/notes', 404, { 'x-service-impersonate': 'nobody' });
  await process.stop();
  expect(await total()).toMatchObject({ requests: 0, clientErrors: 0, bytesSent: 0, p95Ms: null });
  expect(await inList()).toMatchObject({ lastRequestAt: null });
}, 60_000);

test('the sums of two processes', async () => {
  const ask = async (origin: string, path: string, status: number) => {
    const reply = await send(origin, { path, headers: { host: project.host } });
    expect(reply.status).toBe(status);
  };
  await serve(async (origin) => {
    for (let n = 0; n < 3; n++) await ask(origin, '/rest/v1/notes', 200);
    await ask(origin, '/rest/v1/nothing', 404);
  });
  await serve(async (origin) => {
    await ask(origin, '/rest/v1/notes?id=eq.1', 200);
    const body = { email: 'ada@example.org', password: 'a long enough password', name: 'Ada' };
    const headers = { host: project.host };
    const path = '/api/auth/sign-up/email';
    const reply = await send(origin, { method: 'POST', path, headers, body });
    expect(reply.status).toBe(200);
    const token = asRecord(reply.body)['token'];
    const own = { ...headers, ...bearer(String(token)) };
    expect((await send(origin, { path: '/api/auth/get-session', headers: own })).status).toBe(200);
  });
  const reply = await deployment.console({
    path: `/platform/projects/${project.ref}/usage?step=hour`,
  });
  const { total } = asRecord(reply.body);
  expect(total).toMatchObject({ requests: 7, clientErrors: 1, serverErrors: 0, signIns: 1 });
  const { bytesSent, bytesReceived, p95Ms, connections } = asRecord(total);
  expect(bytesSent).toBeGreaterThan(3 * 50 * 1000);
  expect(bytesSent).toBeLessThan(4 * 50 * 1000);
  expect(bytesReceived).toBeGreaterThan(7 * 60);
  expect(bytesReceived).toBeLessThan(7 * 600);
  expect(p95Ms).toBeGreaterThan(0);
  expect(connections).toBeGreaterThan(0);
}, 60_000);

test('bytes of a request without a project are not those of the next project on the connection', async () => {
  const before = await bytesSent();
  await serve(async (origin) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (host: string, path: string) =>
      new Promise<void>((resolve, reject) => {
        get(`${origin}${path}`, { agent, headers: { host } }, (answer) => {
          answer.resume().on('end', resolve);
        }).on('error', reject);
      });
    await ask(project.host, '/api/health-check');
    for (let n = 0; n < 20; n++) await ask('nobody.localhost', '/api/health-check');
    await ask(project.host, '/api/health-check');
    agent.destroy();
  });
  const sent = (await bytesSent()) - before;
  expect(sent).toBeGreaterThan(200);
  expect(sent).toBeLessThan(2_000);
}, 60_000);
