// What happens to the clients of a project whose keys are replaced, and of a project that is paused or deleted.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import {
  changesOf,
  changesUntil,
  ChannelFixture,
  disconnected,
  refusalOf,
  systemFrame,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`create table public.notes (id int, text text);
    create policy everybody on public.notes using (true)`);
}, 60_000);
afterAll(() => fixture.close());

const notes = changesOf({ table: 'notes' });

test('clients with the secret key connect again when the keys change, users stay', async () => {
  const { project } = fixture;
  const old = { apikey: project.secretKey };
  const user = await project.signUp('ann@example.org');
  const [client, impersonator, ofUser] = [
    await fixture.joined('keys', notes, old),
    await fixture.joined('keys', notes, { ...old, impersonate: user.id }),
    await fixture.joined('keys', notes, { token: user.token, apikey: project.publishableKey }),
  ];
  const rotated = await fixture.console('/keys/rotate', { kind: 'secret', expiresInSeconds: 1 });
  expect(rotated.status).toBe(201);
  for (const one of [client, impersonator]) {
    await disconnected(one);
    expect(await systemFrame(one, 'INVALID_API_KEY')).toMatchObject({ status: 'closed' });
  }
  const { key } = asRecord(rotated.body);
  const again = await fixture.joined('keys', notes, { apikey: key });
  await project.as(user, {
    method: 'POST',
    path: '/rest/v1/notes',
    body: { id: 1, text: 'after the rotation' },
  });
  await changesUntil(again, 'after the rotation');
  await changesUntil(ofUser, 'after the rotation');
});

test('a key that was replaced ends at its time for sockets that are open, too', async () => {
  const rotate = (expiresInSeconds: number) =>
    fixture.console('/keys/rotate', { kind: 'secret', expiresInSeconds });
  const { key } = asRecord((await rotate(0)).body);
  expect((await rotate(3)).status).toBe(201);
  const client = await fixture.joined('keys', notes, { apikey: key });
  await disconnected(client);
  expect(await systemFrame(client, 'INVALID_API_KEY')).toMatchObject({ status: 'closed' });
  expect(await refusalOf(fixture.client({ apikey: key }))).toMatchObject({
    code: 'INVALID_API_KEY',
  });
});

test('a client whose publishable key has ended is disconnected where keys are enforced', async () => {
  const project = await fixture.deployment.createProject();
  const rotate = async (expiresInSeconds: number): Promise<string> => {
    const path = `/platform/projects/${project.ref}/keys/rotate`;
    const body = { kind: 'publishable', expiresInSeconds };
    const reply = await fixture.deployment.console({ method: 'POST', path, body });
    expect(reply.status, reply.text).toBe(201);
    return String(asRecord(reply.body)['key']);
  };
  const { token } = await project.signUp('ann@example.org');
  const connect = (auth: object) => fixture.client({ ...auth }, project);
  const ended = async (client: RealtimeClient): Promise<void> => {
    expect(await systemFrame(client, 'INVALID_API_KEY')).toMatchObject({ status: 'closed' });
    await disconnected(client);
  };

  const free = await connect({ apikey: project.publishableKey });
  const first = await rotate(0);
  // The new key is accepted, so the process knows of the rotation.
  await connect({ apikey: first });
  expect(free.socket.connected).toBe(true);

  const path = '/api/admin/settings/security.keys';
  const saved = await project.asService({ method: 'PUT', path, body: { enforced: true } });
  expect(saved.status, saved.text).toBe(200);
  const [visitor, user, byToken] = [
    await connect({ apikey: first }),
    await connect({ apikey: first, token }),
    await connect({ token: first }),
  ];
  const second = await rotate(0);
  const last = await connect({ apikey: second, token });
  await Promise.all([visitor, user, byToken].map(ended));
  expect(await refusalOf(connect({ apikey: first }))).toMatchObject({ code: 'INVALID_API_KEY' });

  const next = await connect({ apikey: await rotate(8) });
  expect(last.socket.connected).toBe(true);
  await ended(last);
  expect(next.socket.connected).toBe(true);
});

test('a pause disconnects everybody, and nobody connects until it ends', async () => {
  const client = await fixture.joined('pause', notes);
  expect((await fixture.console('/pause')).status).toBeLessThan(300);
  await disconnected(client);
  expect(client.frames('rt:system').at(-1)).toMatchObject({ status: 'closed' });
  expect(await refusalOf(fixture.client())).toMatchObject({ code: 'PROJECT_PAUSED', status: 503 });
  expect((await fixture.console('/resume')).status).toBeLessThan(300);
  const again = await fixture.joined('pause', notes);
  expect(again.socket.connected).toBe(true);
});

test.each([
  { name: 'deleted', query: '' },
  { name: 'deleted at once', query: '?now=true' },
])('a project that is $name disconnects everybody, and nobody connects', async ({ query }) => {
  const project = await fixture.deployment.createProject();
  const client = await fixture.client({ apikey: project.secretKey }, project);
  expect(await client.ask('rt:join', { topic: 'room' })).toMatchObject({ status: 'ok' });
  const { ref } = project;
  const path = `/platform/projects/${ref}${query}`;
  const reply = await fixture.deployment.console({ method: 'DELETE', path, body: { ref } });
  expect(reply.status, reply.text).toBeLessThan(300);
  await disconnected(client);
  expect(client.frames('rt:system').at(-1)).toMatchObject({ status: 'closed' });
  expect(await refusalOf(fixture.client({}, project))).toMatchObject({
    code: 'PROJECT_NOT_FOUND',
    status: 404,
  });
});
