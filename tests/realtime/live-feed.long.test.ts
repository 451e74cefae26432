// The live feed of administrators: what was sent and to how many, and who was refused what, without contents.
import { request as httpRequest, type IncomingMessage } from 'node:http';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { makeSignedIn, operatorHeaders } from '../http/administration.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  changesOf,
  changesUntil,
  ChannelFixture,
  messagesIn,
  refusalOf,
} from './channel-fixture.js';

let fixture: ChannelFixture;
let project: ProjectUnderTest;
let other: ProjectUnderTest;
beforeAll(async () => {
  const tables = `
    create table public.notes (text text, owner text);
    create policy own on public.notes using (owner is null or owner = (select auth.uid()))`;
  fixture = await ChannelFixture.open(tables);
  project = fixture.project;
  other = await fixture.deployment.createProject();
  await other.sql(tables);
}, 60_000);

const feeds: Feed[] = [];
afterEach(() => feeds.splice(0).forEach((feed) => feed.close()));
afterAll(() => fixture.close());

type Event = Record<string, unknown>;

interface Feed {
  readonly response: IncomingMessage;
  /** The text so far. */
  readonly text: () => string;
  /** The events so far, without their times and the names of connections. */
  events(kind?: string): readonly Event[];
  close(): void;
}

function openFeed(
  at = project,
  headers: Readonly<Record<string, string>> = { apikey: project.secretKey },
  query = '',
): Promise<Feed> {
  const { hostname, port } = new URL(at.apiOrigin);
  const path = `/api/admin/realtime/feed${query}`;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, headers: { host: at.host, ...headers }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', () => undefined);
        const feed: Feed = {
          response,
          text: () => text,
          events: (kind) =>
            eventsIn(text).filter((event) => kind === undefined || event['kind'] === kind),
          close: () => request.destroy(),
        };
        feeds.push(feed);
        resolve(feed);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

function eventsIn(text: string): readonly Event[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => {
    const { at, client, ...event } = asRecord(JSON.parse(data));
    expect(Number.isNaN(Date.parse(String(at)))).toBe(false);
    expect(client === undefined || typeof client === 'string').toBe(true);
    return event;
  });
}
const has = (feed: Feed, expected: object) =>
  waitFor(
    () => {
      const wanted = Object.entries(expected);
      return feed
        .events()
        .some((event) =>
          wanted.every(([name, value]) => JSON.stringify(event[name]) === JSON.stringify(value)),
        );
    },
    { until: `an event ${JSON.stringify(expected)}` },
  );

test('it is a stream of events that no cache keeps', async () => {
  const { response, text } = await openFeed();
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
  });
  await waitFor(() => text().startsWith('retry: 100\n\n'));
});

test('a message is shown with how many receive it, and never with its payload', async () => {
  const feed = await openFeed();
  const [one, two] = [await fixture.joined('room'), await fixture.joined('room')];
  await has(feed, { kind: 'joined', topic: 'room', private: false, tables: [], role: 'anon' });
  await one.ask('rt:send', { topic: 'room', event: 'moved', payload: { secret: 'S3CRET' } });
  await has(feed, {
    kind: 'message',
    topic: 'room',
    private: false,
    event: 'moved',
    bytes: 19,
    receivers: 1,
  });
  await one.ask('rt:track', { topic: 'room', payload: { secret: 'S3CRET' } });
  await has(feed, { kind: 'presence', topic: 'room', private: false, keys: 1, receivers: 2 });
  await waitFor(() => messagesIn(two).length === 1);
  expect(feed.text()).not.toContain('S3CRET');
});

test('a change is shown with how many receive it, and why the others do not', async () => {
  const feed = await openFeed();
  const user = await makeSignedIn(project, 'owner@example.org');
  const owner = await fixture.joined('all', changesOf({ table: 'notes' }), { token: user.token });
  await fixture.joined('all', changesOf({ table: 'notes' }));
  await fixture.joined('deleted', changesOf({ table: 'notes', event: 'DELETE' }));
  await project.sql(`insert into notes values ('S3CRET', '${user.id}')`);
  await changesUntil(owner, 'S3CRET');
  await has(feed, {
    kind: 'change',
    table: 'notes',
    eventType: 'INSERT',
    receivers: 1,
    unmatched: 1,
    hidden: 1,
  });
  expect(feed.events('joined')).toContainEqual(
    expect.objectContaining({
      topic: 'all',
      tables: ['notes'],
      role: 'authenticated',
      user: user.id,
    }),
  );
  expect(feed.text()).not.toContain('S3CRET');
});

test('who is refused what is shown with the reason', async () => {
  const feed = await openFeed();
  const client = await fixture.client();
  await client.ask('rt:send', { topic: 'nowhere', event: 'e' });
  await has(feed, {
    kind: 'refused',
    event: 'rt:send',
    topic: 'nowhere',
    code: 'NOT_JOINED',
    role: 'anon',
  });
  await client.ask('rt:join', { topic: 'secret', config: { private: true } });
  await has(feed, { kind: 'refused', event: 'rt:join', topic: 'secret', code: 'CHANNEL_REFUSED' });
  await client.ask('rt:join', { topic: { toString: 'x' } });
  await has(feed, { kind: 'refused', event: 'rt:join', code: 'INVALID_FRAME' });
  expect(await refusalOf(fixture.client({ token: 'x'.repeat(32) }))).toMatchObject({
    code: 'SESSION_ENDED',
  });
  await has(feed, { kind: 'refused', event: 'connect', code: 'SESSION_ENDED' });
});

test('a client that is disconnected is shown with the reason', async () => {
  const feed = await openFeed();
  const user = await makeSignedIn(project, 'ends@example.org');
  await fixture.joined('ends', {}, { token: user.token });
  await fixture.act(user, 'deactivate');
  await has(feed, { kind: 'ended', code: 'USER_INACTIVE', role: 'authenticated', user: user.id });
});

test('it shows nothing of another project', async () => {
  const [mine, theirs] = [await openFeed(), await openFeed(other, { apikey: other.secretKey })];
  for (const one of [project, other]) {
    const topic = `room of ${one.ref}`;
    const client = await fixture.client({}, one);
    await client.ask('rt:join', { topic, config: changesOf({ table: 'notes' }) });
    await client.ask('rt:send', { topic, event: 'e', payload: 1 });
    await one.sql(`insert into notes values ('one')`);
    await changesUntil(client, 'one');
  }
  await has(mine, { kind: 'message', topic: `room of ${project.ref}` });
  await has(theirs, { kind: 'message', topic: `room of ${other.ref}` });
  await has(mine, { kind: 'change', table: 'notes' });
  await has(theirs, { kind: 'change', table: 'notes' });
  expect(mine.text()).not.toContain(other.ref);
  expect(theirs.text()).not.toContain(project.ref);
  expect(mine.events('change')).toHaveLength(1);
  expect(theirs.events('change')).toHaveLength(1);
});

test('it is for administrators of the project', async () => {
  const statusOf = async (headers: Readonly<Record<string, string>>) =>
    (await openFeed(project, headers)).response.statusCode;
  const user = await makeSignedIn(project, 'user@example.org');
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${user.token}` })).toBe(403);
  expect(await statusOf({ apikey: other.secretKey })).toBe(401);
  expect(await statusOf(operatorHeaders(fixture.deployment, project, ['content.read']))).toBe(403);
  expect(await statusOf(operatorHeaders(fixture.deployment, other, ['settings.manage']))).toBe(401);
  expect(await statusOf(operatorHeaders(fixture.deployment, project, ['settings.manage']))).toBe(
    200,
  );
});

test('at most ten look on at a time', async () => {
  for (let n = 0; n < 10; n += 1) await openFeed();
  const { response, text } = await openFeed();
  expect(response.statusCode).toBe(429);
  await waitFor(() => text().includes('LIVE_FEED_BUSY'));
  feeds[0]?.close();
  await waitFor(async () => (await openFeed()).response.statusCode === 200);
});

test('it ends after the time that is asked for', async () => {
  const { response, text } = await openFeed(project, { apikey: project.secretKey }, '?seconds=1');
  let hasEnded = false;
  response.on('end', () => (hasEnded = true));
  await waitFor(() => hasEnded, { until: 'the stream ends', ms: 20_000 });
  expect(text()).toMatch(/^retry: 100\n\n/);
  for (const query of ['?seconds=0', '?seconds=61', '?seconds=x', '?minutes=1']) {
    const refused = await openFeed(project, { apikey: project.secretKey }, query);
    expect(refused.response.statusCode).toBe(400);
  }
});

test('it ends when the project is paused', async () => {
  const paused = await fixture.deployment.createProject();
  const { response } = await openFeed(paused, { apikey: paused.secretKey });
  let hasEnded = false;
  response.on('end', () => (hasEnded = true));
  const path = `/platform/projects/${paused.ref}/pause`;
  const reply = await fixture.deployment.console({ method: 'POST', path, body: {} });
  expect(reply.status, reply.text).toBeLessThan(300);
  await waitFor(() => hasEnded, { until: 'the stream ends', ms: 20_000 });
});
