// The last requests of a project: what was asked, by whom and with which result, and nothing of its values.
import { once } from 'node:events';
import { request } from 'node:http';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { bearer } from '../support/replies.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  neighbor = await deployment.createProject();
  await project.sql(`create table notes (id int primary key, text text);
    insert into notes values (1, 'hidden words');
    grant select on notes to anon, authenticated;
    create policy everybody on notes for select using (true)`);
}, 60_000);
afterAll(() => deployment.close());

interface Listed {
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  readonly next: number | null;
}
const list = async (query = '', of = project) => {
  const { status, body } = await of.asService({ path: `/api/admin/requests${query}` });
  expect(status).toBe(200);
  return body as Listed;
};
const newest = async (query = '?limit=1') => (await list(query)).requests[0];

test('a request to a table has its route, result and times, and no value', async () => {
  const call: Call = {
    path: '/rest/v1/notes?text=eq.hidden%20words',
    headers: { 'x-request-id': 'mine-1', 'user-agent': 'secret agent' },
  };
  expect((await project.send(call)).status).toBe(200);
  const request = await newest();
  expect(request).toEqual({
    at: expect.stringMatching(/^\d{4}-/),
    requestId: 'mine-1',
    method: 'GET',
    route: '/rest/v1/:table',
    status: 200,
    code: null,
    ms: expect.any(Number),
    databaseMs: expect.any(Number),
    credential: 'none',
    userId: null,
  });
  expect(Number(request?.['databaseMs'])).toBeLessThanOrEqual(Number(request?.['ms']) + 1);
  expect(JSON.stringify(await list())).not.toMatch(/hidden|secret agent|127\.0\.0\.1/);
});

test('one that failed has its code, and who has asked', async () => {
  const user = await project.signUp('ada@example.org');
  const path = '/api/users/username';
  const headers = bearer(user.token);
  const refused = await project.send({ method: 'PUT', path, headers, body: { username: 4 } });
  expect(refused.status).toBe(400);
  expect(await newest('?kind=failed&limit=1')).toMatchObject({
    route: '/api/users/username',
    status: 400,
    code: expect.any(String),
    credential: 'session',
    userId: user.id,
    databaseMs: null,
  });
  expect((await project.send({ path: '/no/such/path' })).status).toBe(404);
  expect(await newest('?kind=failed&limit=1')).toMatchObject({ route: null, status: 404 });
});

test('reading them leaves no trace, and a refused reading does', async () => {
  const before = await newest();
  expect(await newest()).toEqual(before);
  expect((await project.send({ path: '/api/admin/requests' })).status).toBe(401);
  expect(await newest()).toMatchObject({ route: '/api/admin/requests', status: 401 });
});

test('they come in pages', async () => {
  for (let n = 0; n < 3; n++) await project.send({ path: '/rest/v1/notes' });
  const whole = (await list('?limit=1000')).requests;
  const first = await list('?limit=2');
  const rest = await list(`?limit=1000&before=${first.next}`);
  expect([...first.requests, ...rest.requests]).toEqual(whole);
});

test('a project sees its own alone', async () => {
  await project.send({ path: '/rest/v1/notes', headers: { 'x-request-id': 'of-the-first' } });
  expect(JSON.stringify(await list('', neighbor))).not.toContain('of-the-first');
});

test.each(['kind=fast', 'limit=0', 'limit=1001', 'before=x'])('%s is refused', async (query) => {
  const { status, body } = await project.asService({ path: `/api/admin/requests?${query}` });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(query.split('=')[0] ?? '') },
  });
});

test('a reader who leaves the feed is no failed request', async () => {
  await project.send({ path: '/no/such/path', headers: { 'x-request-id': 'before-the-feed' } });
  const { hostname, port } = new URL(project.apiOrigin);
  const feed = request({
    hostname,
    port,
    path: '/api/admin/requests/feed',
    headers: { host: project.host, apikey: project.secretKey },
  }).end();
  const [answer] = await once(feed, 'response');
  expect(answer).toMatchObject({ statusCode: 200 });
  feed.on('error', () => undefined).destroy();
  // Requests that come after the end of the connection.
  for (let n = 0; n < 5; n++) await project.send({ path: '/rest/v1/notes' });
  expect(await newest('?kind=failed&limit=1')).toMatchObject({ requestId: 'before-the-feed' });
});

test('they are followed live', async () => {
  const feed = project.asService({ path: '/api/admin/requests/feed?seconds=2' });
  // The stream is open when a request of its reader would be: one after the other comes until one is in it.
  const asking = setInterval(() => {
    void project.send({ path: '/rest/v1/notes', headers: { 'x-request-id': 'followed' } });
  }, 200);
  const { status, headers, text } = await feed.finally(() => clearInterval(asking));
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/event-stream/);
  expect(text).toMatch(/event: request\ndata: \{[^\n]*"requestId":"followed"[^\n]*\}\n\n/);
});
