// Administrators join channels as other callers: what these receive, and what they are refused.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { makeSignedIn } from '../http/administration.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { changesOf, ChannelFixture } from './channel-fixture.js';
import {
  has,
  inspect,
  type InspectorStream,
  refusalsOf,
  textsIn,
  textUntil,
  visitor,
} from './inspector-stream.js';

let fixture: ChannelFixture;
let project: ProjectUnderTest;
let ada: SignedIn;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public.notes (text text, owner text, doc json);
    create policy own on public.notes using (owner is null or owner = (select auth.uid()))`);
  project = fixture.project;
  ada = await makeSignedIn(project, 'ada@example.org');
}, 60_000);

const streams: InspectorStream[] = [];
afterEach(() => streams.splice(0).forEach((stream) => stream.close()));
afterAll(() => fixture.close());

const notesOf = (topic: string) => ({ topic, config: changesOf({ table: 'notes' }) });

async function open(
  listeners: readonly object[],
  headers?: Readonly<Record<string, string>>,
  seconds?: number,
): Promise<InspectorStream> {
  const stream = await inspect(project, listeners, headers, seconds);
  streams.push(stream);
  return stream;
}

test('each listener receives the changes that its caller may see', async () => {
  const stream = await open([
    { as: visitor, join: notesOf('all') },
    { as: { userId: ada.id }, join: notesOf('all') },
    { as: { role: 'authenticated', claims: { sub: 'guest' } }, join: notesOf('all') },
    { as: { role: 'service_role' }, join: notesOf('all') },
  ]);
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
  });
  const roles = ['anon', 'authenticated', 'authenticated', 'service_role'];
  for (const [index, role] of roles.entries()) await has(stream, index, { name: 'joined', role });
  await project.sql(`insert into notes values ('of ada', '${ada.id}')`);
  await project.sql(`insert into notes values ('of guest', 'guest')`);
  await project.sql(`insert into notes values ('of all')`);
  const expected = [['of all'], ['of ada', 'of all'], ['of guest', 'of all']];
  for (const [index, texts] of [...expected, ['of ada', 'of guest', 'of all']].entries()) {
    await textUntil(stream, index, 'of all');
    expect(textsIn(stream, index), `listener ${index}`).toEqual(texts);
  }
});

test('line breaks in a document do not break the stream', async () => {
  const stream = await open([{ as: visitor, join: notesOf('docs') }]);
  await has(stream, 0, { name: 'joined' });
  await project.sql(`insert into notes (text, doc) values ('doc', E'{"a":\\n\\n1,\\r\\n"b":2}')`);
  await textUntil(stream, 0, 'doc');
  await project.sql(`insert into notes values ('after')`);
  await textUntil(stream, 0, 'after');
});

test('it continues from a cursor', async () => {
  const first = await open([{ as: visitor, join: notesOf('again') }]);
  const joined = await has(first, 0, { name: 'joined' });
  const { cursor } = asRecord(joined['ack']);
  first.close();
  await project.sql(`insert into notes values ('meanwhile')`);
  const second = await open([{ as: visitor, join: { ...notesOf('again'), resume: cursor } }]);
  await textUntil(second, 0, 'meanwhile');
});

test('messages and presence go to and fro', async () => {
  const client = await fixture.joined('room');
  const stream = await open([
    {
      as: { userId: ada.id },
      join: { topic: 'room', config: { presence: { key: 'ada' } } },
      presence: { name: 'Ada' },
    },
  ]);
  await waitFor(() => JSON.stringify(client.frames('rt:presence')).includes('"Ada"'));
  await client.ask('rt:send', { topic: 'room', event: 'moved', payload: { x: 3 } });
  await has(stream, 0, {
    name: 'frame',
    event: 'rt:msg',
    frame: { t: 'room', event: 'moved', payload: { x: 3 } },
  });
  stream.close();
  await waitFor(() => {
    const last = client.frames('rt:presence').at(-1);
    return JSON.stringify(last?.['state']) === '{}';
  });
});

test('its channels end with the stream', async () => {
  const topics = async () =>
    (await project.asService({ path: '/api/admin/realtime/channels?perPage=200' })).text;
  const stream = await open([{ as: visitor, join: { topic: 'for a second' } }], undefined, 1);
  await has(stream, 0, { name: 'joined' });
  await waitFor(() => stream.hasEnded(), { until: 'the stream ends', ms: 20_000 });
  await waitFor(async () => !(await topics()).includes('for a second'));
  const longer = await open([{ as: visitor, join: { topic: 'until it is closed' } }]);
  await has(longer, 0, { name: 'joined' });
  expect(await topics()).toContain('until it is closed');
  longer.close();
  await waitFor(async () => !(await topics()).includes('until it is closed'));
});

test('a refused presence leaves the listener joined', async () => {
  const stream = await open([
    { as: visitor, join: notesOf('large'), presence: { text: 'x'.repeat(20_000) } },
  ]);
  await has(stream, 0, { name: 'refused', event: 'rt:track', code: 'PRESENCE_TOO_LARGE' });
  await project.sql(`insert into notes values ('still there')`);
  await textUntil(stream, 0, 'still there');
});

test('a listener ends with the account of its user', async () => {
  const user = await makeSignedIn(project, 'ends@example.org');
  const stream = await open([{ as: { userId: user.id }, join: { topic: 'ends' } }]);
  await has(stream, 0, { name: 'joined' });
  await fixture.act(user, 'deactivate');
  await has(stream, 0, { name: 'ended', code: 'USER_INACTIVE' });
  await waitFor(() => stream.hasEnded(), { until: 'the stream ends' });
  expect(await refusalsOf(project)).toContainEqual(
    expect.objectContaining({ kind: 'ended', code: 'USER_INACTIVE', user: user.id }),
  );
});
