// Who may join channels as other callers, and what these are refused.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import type { Capability } from '#libs/wire';

import { makeSignedIn, operatorHeaders } from '../http/administration.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { changesOf, ChannelFixture, messagesIn } from './channel-fixture.js';
import {
  has,
  inspect,
  inspectPath,
  type InspectorStream,
  refusalsOf,
  visitor,
} from './inspector-stream.js';

let fixture: ChannelFixture;
let project: ProjectUnderTest;
let other: ProjectUnderTest;
let ada: SignedIn;
beforeAll(async () => {
  fixture = await ChannelFixture.open();
  project = fixture.project;
  other = await fixture.deployment.createProject();
  ada = await makeSignedIn(project, 'ada@example.org');
}, 60_000);

const streams: InspectorStream[] = [];
afterEach(() => streams.splice(0).forEach((stream) => stream.close()));
afterAll(() => fixture.close());

async function open(
  listeners: readonly object[],
  headers?: Readonly<Record<string, string>>,
  seconds?: number,
): Promise<InspectorStream> {
  const stream = await inspect(project, listeners, headers, seconds);
  streams.push(stream);
  return stream;
}

const send = (body: object, headers?: Readonly<Record<string, string>>) =>
  project.send({
    method: 'POST',
    path: '/api/admin/realtime/send',
    body,
    headers: headers ?? { apikey: project.secretKey },
  });

test('a message is sent as its caller may send it', async () => {
  const client = await fixture.joined('news');
  const message = { as: visitor, topic: 'news', event: 'hi', payload: { n: 1 } };
  expect((await send(message)).status).toBe(204);
  await waitFor(() => messagesIn(client).length === 1);
  expect(messagesIn(client)).toEqual([{ n: 1 }]);
  const refused = await send({ ...message, private: true });
  expect([refused.status, refused.body]).toEqual([
    403,
    expect.objectContaining({ code: 'CHANNEL_REFUSED' }),
  ]);
  expect((await send({ ...message, private: true, as: { role: 'service_role' } })).status).toBe(
    204,
  );
});

test('what is refused is an event with the reason, and the stream ends with the last listener', async () => {
  await project.sql(`create table public.quiet (id int); select realtime.disable('public.quiet')`);
  const stream = await open([
    { as: visitor, join: { topic: 'secret', config: { private: true } } },
    { as: visitor, join: { topic: 'q', config: changesOf({ table: 'quiet' }) } },
    { as: { userId: 'unknown' }, join: { topic: 'n' } },
    { as: { role: 'authenticated', claims: { sub: ada.id } }, join: { topic: 'c' } },
    { as: visitor, join: { topic: 'x', config: { presense: {} } } },
  ]);
  const reasons = [
    ['rt:join', 'CHANNEL_REFUSED'],
    ['rt:join', 'TABLE_NOT_EXPOSED'],
    ['connect', 'IMPERSONATED_USER_NOT_FOUND'],
    ['connect', 'FOREIGN_SUBJECT_REFUSED'],
    ['rt:join', 'INVALID_FRAME'],
  ];
  for (const [index, [event, code]] of reasons.entries()) {
    await has(stream, index, { name: 'refused', event, code });
  }
  await waitFor(() => stream.hasEnded(), { until: 'the stream ends' });
  const listed = await refusalsOf(project);
  expect(listed).toEqual(
    expect.arrayContaining(
      reasons.map(([event, code]) =>
        expect.objectContaining({ kind: 'refused', event, code, message: expect.any(String) }),
      ),
    ),
  );
  expect(listed).toContainEqual(
    expect.objectContaining({
      code: 'CHANNEL_REFUSED',
      topic: 'secret',
      role: 'anon',
      client: expect.stringMatching(/^inspector-/),
    }),
  );
});

test.each([
  { name: 'no listener', body: { listeners: [] }, field: 'listeners' },
  { name: 'no caller', body: { listeners: [{ join: {} }] }, field: 'as' },
  {
    name: 'a user and a role',
    body: { listeners: [{ as: { userId: 'a', role: 'anon' }, join: {} }] },
    field: 'as',
  },
  {
    name: 'claims of a visitor',
    body: { listeners: [{ as: { role: 'anon', claims: {} }, join: {} }] },
    field: 'as.claims',
  },
  {
    name: 'a role that is none',
    body: { listeners: [{ as: { role: 'postgres' }, join: {} }] },
    field: 'role',
  },
  {
    name: 'too long',
    body: { listeners: [{ as: visitor, join: {} }], seconds: 61 },
    field: 'seconds',
  },
])('$name is refused with the field', async ({ body, field }) => {
  const reply = await project.asService({ method: 'POST', path: inspectPath, body });
  expect(reply.status).toBe(400);
  expect(reply.text).toContain(field);
});

test('both are for administrators with secrets.manage, and of the project', async () => {
  const join = [{ as: visitor, join: { topic: 'mine' } }];
  const tracks = [{ ...join[0], presence: {} }];
  const message = { as: visitor, topic: 'mine', event: 'e' };
  const operator = (of: ProjectUnderTest, capabilities: readonly Capability[]) =>
    operatorHeaders(fixture.deployment, of, [...capabilities]);
  const statusesOf = async (headers: Readonly<Record<string, string>>) => [
    (await open(join, headers)).response.statusCode,
    (await open(tracks, headers)).response.statusCode,
    (await send(message, headers)).status,
  ];
  expect(await statusesOf({})).toEqual([401, 401, 401]);
  expect(await statusesOf({ authorization: `Bearer ${ada.token}` })).toEqual([403, 403, 403]);
  expect(await statusesOf({ apikey: other.secretKey })).toEqual([401, 401, 401]);
  const settings = operator(project, ['settings.manage', 'content.write', 'content.read']);
  expect(await statusesOf(settings)).toEqual([403, 403, 403]);
  expect(await statusesOf(operator(other, ['secrets.manage']))).toEqual([401, 401, 401]);
  expect(await statusesOf(operator(project, ['secrets.manage']))).toEqual([200, 403, 403]);
  const both = operator(project, ['secrets.manage', 'content.write']);
  expect(await statusesOf(both)).toEqual([200, 200, 204]);
});

test('the audit log says who has joined and sent as whom', async () => {
  const stream = await open([{ as: { userId: ada.id }, join: { topic: 'audited' } }]);
  await has(stream, 0, { name: 'joined' });
  await send({ as: visitor, topic: 'audited', event: 'hi', payload: { secret: 'S3CRET' } });
  const { text } = await project.asService({ path: '/api/admin/audit?limit=10' });
  expect(text).not.toContain('S3CRET');
  for (const expected of ['realtime.inspect', 'realtime.send']) expect(text).toContain(expected);
  expect(text).toContain(ada.id);
});

test('a stream that takes over from an open one begins nothing that the audit log lacks', async () => {
  const path = '/api/admin/audit?action=realtime.inspect&limit=50';
  const audited = async (): Promise<readonly string[]> => {
    const { body } = await project.asService({ path });
    const { entries } = asRecord(body);
    const all = Array.isArray(entries) ? entries.map(asRecord) : [];
    return all.map(({ after }) => JSON.stringify(after)).filter((text) => text.includes('renewed'));
  };
  const begins = async (...listeners: readonly object[]): Promise<InspectorStream> => {
    const stream = await open(listeners);
    for (const index of listeners.keys()) await has(stream, index, { name: 'joined' });
    return stream;
  };
  const continues = ({ response }: InspectorStream) => response.headers['x-rowhouse-continues'];
  const renewed = (resume?: unknown) => ({ as: visitor, join: { topic: 'renewed', resume } });
  const first = await begins(renewed());
  expect(continues(first)).toBeUndefined();
  expect(await audited()).toHaveLength(1);
  const [joined] = first.events(0, 'joined');
  const second = await begins(renewed(asRecord(joined?.['ack'])['cursor']));
  expect(continues(second)).toBe('true');
  first.close();
  expect(continues(await begins(renewed()))).toBe('true');
  expect(await audited()).toHaveLength(1);
  // Another caller, another topic and other bindings are begun; the entry has them alone.
  const further = { as: { userId: ada.id }, join: { topic: 'renewed' } };
  const both = await begins(renewed(), further);
  expect(continues(both)).toBeUndefined();
  expect(await audited()).toHaveLength(2);
  expect((await audited())[0]).not.toContain('anon');
  expect(continues(await begins({ as: visitor, join: { topic: 'renewed, too' } }))).toBeUndefined();
});

test('at most twenty look on at a time', async () => {
  const looking: InspectorStream[] = [];
  const look = async (topic: string): Promise<boolean> => {
    const stream = await open([{ as: visitor, join: { topic } }]);
    const isIn = stream.response.statusCode === 200;
    if (isIn) looking.push(stream);
    return isIn;
  };
  for (let n = 0; n < 20; n += 1) {
    // The server may still count streams that the tests before have closed.
    await waitFor(() => look(`t${n}`));
  }
  const busy = await open([{ as: visitor, join: { topic: 'one more' } }]);
  expect(busy.response.statusCode).toBe(429);
  looking[0]?.close();
  await waitFor(() => look('after'));
});
