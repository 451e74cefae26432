// What administrators see of the channels of a project, the figures of the process, and `/ws` without a WebSocket.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { makeSignedIn, operatorHeaders } from '../http/administration.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openClient, type RealtimeClient } from './realtime-client.js';

let deployment: Deployment;
let project: ProjectUnderTest;
const clients: RealtimeClient[] = [];
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
}, 60_000);
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await waitFor(async () => (await stats())['connections'] === 0);
});
afterAll(() => deployment.close());

async function open(auth: Record<string, unknown> = {}): Promise<RealtimeClient> {
  const client = await openClient(project, auth);
  clients.push(client);
  return client;
}
const get = async (path: string) =>
  asRecord((await project.asService({ path: `/api/admin/realtime/${path}` })).body);
const stats = () => get('stats');

test('a project without sockets has none', async () => {
  expect(await stats()).toEqual({
    connections: 0,
    channels: 0,
    rooms: 0,
    messages: 0,
    changes: 0,
    framesSent: 0,
    framesDropped: 0,
    lagMs: 0,
  });
  expect(await get('channels')).toEqual({ channels: [], total: 0, page: 1, perPage: 50 });
  expect(await get('refusals')).toEqual({ refusals: [] });
});

test('connections, channels, messages and frames are counted', async () => {
  const [one, other] = [await open(), await open()];
  for (const client of [one, other]) await client.ask('rt:join', { topic: 'room' });
  await one.ask('rt:join', { topic: 'other' });
  const before = await stats();
  expect(before).toMatchObject({ connections: 2, channels: 3, rooms: 2 });
  await one.ask('rt:send', { topic: 'room', event: 'hi', payload: 1 });
  await waitFor(() => other.frames('rt:msg').length === 1);
  expect(await stats()).toMatchObject({
    messages: Number(before['messages']) + 1,
    framesSent: Number(before['framesSent']) + 1,
    framesDropped: 0,
  });
});

test('topics are listed with their connections and who is present, by pages', async () => {
  const [one, other] = [await open({ apikey: project.secretKey }), await open()];
  await one.ask('rt:join', { topic: 'b', config: { private: true } });
  for (const client of [one, other]) await client.ask('rt:join', { topic: 'a' });
  await other.ask('rt:join', { topic: 'b' });
  await one.ask('rt:track', { topic: 'a', payload: { name: 'One' } });
  await other.ask('rt:track', { topic: 'b', payload: { name: 'Other' } });
  const rooms = [
    { topic: 'a', private: false, connections: 2, present: 1 },
    { topic: 'b', private: false, connections: 1, present: 1 },
    { topic: 'b', private: true, connections: 1, present: 0 },
  ];
  expect(await get('channels')).toEqual({ channels: rooms, total: 3, page: 1, perPage: 50 });
  expect(await get('channels?page=2&perPage=2')).toEqual({
    channels: rooms.slice(2),
    total: 3,
    page: 2,
    perPage: 2,
  });

  await other.ask('rt:untrack', { topic: 'b' });
  await one.ask('rt:leave', { topic: 'b' });
  expect((await get('channels'))['channels']).toEqual([
    { topic: 'a', private: false, connections: 2, present: 1 },
    { topic: 'b', private: false, connections: 1, present: 0 },
  ]);
  one.close();
  await waitFor(async () => (await stats())['connections'] === 1);
  expect((await get('channels'))['channels']).toEqual([
    { topic: 'a', private: false, connections: 1, present: 0 },
    { topic: 'b', private: false, connections: 1, present: 0 },
  ]);
});

test.each(['page=0', 'perPage=201', 'perPage=x', 'limit=3'])('?%s is refused', async (query) => {
  const reply = await project.asService({ path: `/api/admin/realtime/channels?${query}` });
  expect(reply.status).toBe(400);
});

test('what was refused is listed, the newest first, with how often', async () => {
  const client = await open();
  for (const topic of ['first', 'second', 'first']) {
    await client.ask('rt:send', { topic, event: 'e' });
  }
  const { refusals } = await get('refusals');
  expect(refusals).toEqual(
    [
      { topic: 'first', count: 2 },
      { topic: 'second', count: 1 },
    ].map((refusal) => ({
      kind: 'refused',
      event: 'rt:send',
      code: 'NOT_JOINED',
      message: `Join the channel ${refusal.topic} first`,
      client: client.socket.id,
      role: 'anon',
      at: expect.any(String),
      ...refusal,
    })),
  );
});

test.each(['stats', 'channels', 'refusals'])('%s is for administrators', async (name) => {
  const path = `/api/admin/realtime/${name}`;
  const user = await makeSignedIn(project, `${name}@example.org`);
  expect((await project.as(user, { path })).status).toBe(403);
  expect((await project.send({ path })).status).toBe(401);
  const reader = operatorHeaders(deployment, project, ['content.read']);
  expect((await project.send({ path, headers: reader })).status).toBe(403);
  const keeper = operatorHeaders(deployment, project, ['settings.manage']);
  expect((await project.send({ path, headers: keeper })).status).toBe(200);
});

test('the figures of the process have those of the project', async () => {
  const client = await open();
  await client.ask('rt:join', { topic: 'room' });
  const { text } = await send(deployment.apiOrigin, { path: '/metrics' });
  const labels = `{project="${project.ref}"}`;
  const valueOf = (name: string) => {
    const start = `rowhouse_realtime_${name}${labels} `;
    return text
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.slice(start.length);
  };
  const { framesSent } = await stats();
  expect(valueOf('connections')).toBe('1');
  expect(valueOf('channels')).toBe('1');
  expect(valueOf('frames_total')).toBe(String(framesSent));
  expect(valueOf('frames_dropped_total')).toBe('0');
  expect(Number(valueOf('lag_seconds'))).toBeGreaterThanOrEqual(0);
  expect(text).toContain('# TYPE rowhouse_realtime_lag_seconds gauge');
  expect(text).toContain('# TYPE rowhouse_realtime_connections gauge');
  expect(text).toContain('# TYPE rowhouse_realtime_frames_total counter');
});

test.each(['/ws', '/ws/', '/ws/?EIO=4&transport=polling'])(
  'GET %s without a WebSocket says how to connect',
  async (path) => {
    const reply = await project.send({ path });
    expect(reply.status).toBe(426);
    expect(reply.body).toMatchObject({ code: 'UPGRADE_REQUIRED' });
    expect(reply.headers['upgrade']).toBe('websocket');
  },
);
