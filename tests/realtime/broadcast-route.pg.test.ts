// Messages that programs send over HTTP: who may send to which topic, and that all are checked before any is sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { makeSignedIn, operatorHeaders } from '../http/administration.js';
import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { openClient, type RealtimeClient } from './realtime-client.js';

const path = '/api/realtime/broadcast';
let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let visitor: RealtimeClient;
let listener: RealtimeClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await makeSignedIn(project, 'ada@example.org');
  await project.sql(`
    create policy everybody_receives on realtime.messages for select to anon, authenticated using (true);
    create policy users_send on realtime.messages for insert to authenticated
      with check (extension = 'broadcast' and realtime.topic() = 'users ' || auth.uid()::text);
    create policy visitors_send on realtime.messages for insert to anon
      with check (realtime.topic() = 'guestbook');`);
  visitor = await openClient(project);
  listener = await openClient(project, { apikey: project.secretKey });
  await visitor.ask('rt:join', { topic: 'room' });
  for (const topic of ['guestbook', `users ${ada.id}`]) {
    await listener.ask('rt:join', { topic, config: { private: true } });
  }
}, 60_000);
afterAll(async () => {
  visitor.close();
  listener.close();
  await deployment.close();
});

interface Sender {
  readonly name: string;
  readonly send: (body: unknown) => Promise<Reply>;
}
const call = (body: unknown) => ({ method: 'POST', path, body });
const secretKey: Sender = { name: 'the secret key', send: (body) => project.asService(call(body)) };
const user: Sender = { name: 'a user', send: (body) => project.as(ada, call(body)) };
const anon: Sender = { name: 'a visitor', send: (body) => project.send(call(body)) };
const operator = (...capabilities: ('content.read' | 'content.write')[]): Sender => ({
  name: `an operator with ${capabilities.join()}`,
  send: (body) =>
    project.send({
      ...call(body),
      headers: operatorHeaders(deployment, project, capabilities),
    }),
});

let count = 0;
const newEvent = () => `event ${(count += 1)}`;
const eventsOf = (client: RealtimeClient) => client.frames('rt:msg').map(({ event }) => event);

/** Waits for what is sent now: frames of a room keep their order, so everything before it has arrived then. */
async function flush(): Promise<void> {
  const event = newEvent();
  const rooms = [
    { topic: 'room' },
    { topic: 'guestbook', private: true },
    { topic: `users ${ada.id}`, private: true },
  ];
  const reply = await secretKey.send({ messages: rooms.map((room) => ({ ...room, event })) });
  expect(reply.status).toBe(202);
  await waitFor(() => eventsOf(visitor).includes(event));
  await waitFor(() => eventsOf(listener).filter((each) => each === event).length === 2);
}

test('a message arrives as it was sent, and the answer has no body', async () => {
  const event = newEvent();
  const payload = { text: 'Grüße', list: [1, null] };
  const reply = await secretKey.send({ messages: [{ topic: 'room', event, payload }] });
  expect([reply.status, reply.text]).toEqual([202, '']);
  await waitFor(() => eventsOf(visitor).includes(event));
  expect(visitor.frames('rt:msg')).toContainEqual({ t: 'room', event, payload });
});

describe.each([
  { sender: secretKey, open: 202, own: 202, guestbook: 202 },
  { sender: operator('content.read', 'content.write'), open: 202, own: 202, guestbook: 202 },
  { sender: operator('content.read'), open: 403, own: 403, guestbook: 403 },
  { sender: user, open: 202, own: 202, guestbook: 403 },
  { sender: anon, open: 401, own: 403, guestbook: 202 },
])('$sender.name', ({ sender, open, own, guestbook }) => {
  const rooms = () => [
    { message: { topic: 'room' }, status: open, receiver: visitor },
    { message: { topic: `users ${ada.id}`, private: true }, status: own, receiver: listener },
    { message: { topic: 'guestbook', private: true }, status: guestbook, receiver: listener },
  ];
  test.each([
    { room: 'a public topic', at: 0 },
    { room: 'the private topic of a user', at: 1 },
    { room: 'a private topic for visitors', at: 2 },
  ])('sends to $room as the policies say', async ({ at }) => {
    const { message, status, receiver } = rooms()[at] ?? expect.unreachable();
    const event = newEvent();
    const reply = await sender.send({ messages: [{ ...message, event }] });
    expect(reply.status).toBe(status);
    await flush();
    expect(eventsOf(receiver).includes(event)).toBe(status === 202);
  });
});

test('a private and a public topic of one name are two', async () => {
  const event = newEvent();
  await secretKey.send({ messages: [{ topic: 'room', private: true, event }] });
  await flush();
  expect(eventsOf(visitor)).not.toContain(event);
});

test('one refused message keeps all others back', async () => {
  const event = newEvent();
  const reply = await user.send({
    messages: [
      { topic: 'room', event },
      { topic: 'guestbook', private: true, event },
    ],
  });
  expect(reply.status).toBe(403);
  expect(reply.body).toMatchObject({
    code: 'CHANNEL_REFUSED',
    details: { field: 'messages[1].topic' },
  });
  await flush();
  expect(eventsOf(visitor)).not.toContain(event);
});

test('the impersonated user has the rights of that user', async () => {
  const send = (topic: string) =>
    project.asService({
      ...call({ messages: [{ topic, private: true, event: newEvent() }] }),
      headers: { 'x-service-impersonate': ada.id },
    });
  expect((await send(`users ${ada.id}`)).status).toBe(202);
  expect((await send('guestbook')).status).toBe(403);
});

test('a session that has ended sends nothing, not even as a visitor', async () => {
  const grace = await makeSignedIn(project, 'grace@example.org');
  const send = () =>
    project.as(
      grace,
      call({ messages: [{ topic: 'guestbook', private: true, event: newEvent() }] }),
    );
  expect((await send()).status).toBe(403);
  await project.as(grace, { method: 'POST', path: '/api/auth/sign-out', body: {} });
  expect((await send()).status).toBe(401);
});

const fine = { topic: 'room', event: 'fine' };
test.each([
  { name: 'no body', body: undefined, field: 'frame' },
  { name: 'a list', body: [fine], field: 'frame' },
  { name: 'no message', body: { messages: [] }, field: 'messages' },
  { name: '101 messages', body: { messages: Array(101).fill(fine) }, field: 'messages' },
  { name: 'no topic', body: { messages: [fine, { event: 'e' }] }, field: 'messages[1].topic' },
  {
    name: 'an empty event',
    body: { messages: [fine, { topic: 'room', event: '' }] },
    field: 'messages[1].event',
  },
  {
    name: 'private as a text',
    body: { messages: [{ ...fine, private: 'yes' }] },
    field: 'messages[0].private',
  },
  {
    name: 'a field that does not exist',
    body: { messages: [{ ...fine, to: 'all' }] },
    field: 'messages[0].to',
  },
])('$name is refused with the name of the field', async ({ body, field }) => {
  const reply = await secretKey.send(body);
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ code: 'INVALID_FRAME', details: { field } });
  await flush();
  expect(eventsOf(visitor)).not.toContain('fine');
});

test('100 messages arrive in their order', async () => {
  const events = Array.from({ length: 100 }, newEvent);
  const reply = await secretKey.send({
    messages: events.map((event) => ({ topic: 'room', event })),
  });
  expect(reply.status).toBe(202);
  await waitFor(() => eventsOf(visitor).includes(events.at(-1)));
  expect(eventsOf(visitor).filter((event) => events.includes(String(event)))).toEqual(events);
});

test('limits of the settings hold: the size of a payload, and messages in a second', async () => {
  const save = (values: object) =>
    project.asService({ method: 'PUT', path: '/api/admin/settings/realtime', body: values });
  await save({ maxFrameBytes: 1024 });
  const large = await secretKey.send({
    messages: [fine, { topic: 'room', event: 'e', payload: 'ü'.repeat(512) }],
  });
  expect(large.status).toBe(413);
  expect(large.body).toMatchObject({
    code: 'FRAME_TOO_LARGE',
    details: { field: 'messages[1].payload' },
  });
  await save({ projectMessagesPerSecond: 1 });
  const hundred = { messages: Array(100).fill({ topic: 'nowhere', event: 'e' }) };
  const replies = [await secretKey.send(hundred), await secretKey.send(hundred)];
  expect(replies.at(-1)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(Number(replies.at(-1)?.headers['retry-after'])).toBeGreaterThan(1);
  await save({});
});
