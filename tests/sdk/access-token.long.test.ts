// The option `accessToken`: the client has the rights of the token that a function of the app returns.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { RowhouseClient } from '#libs/sdk';

import { makeBucket } from '../storage/bucket-rows.js';
import { Deployment } from '../support/deployment.js';
import { openTokenIssuer, type TokenIssuer } from '../support/token-issuer.js';
import { arrived, type Followed, joined, Live } from './support/live.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let issuer: TokenIssuer;
let live: Live;

beforeAll(async () => {
  issuer = await openTokenIssuer();
  live = await Live.open(
    `create function who() returns text language sql stable as 'select auth.uid()'`,
    await Deployment.shared('outbound'),
  );
  await issuer.enableIn(live.project);
  await makeBucket(live.project, 'docs');
});
afterAll(async () => {
  await live.close();
  await issuer.close();
});

/** Follows the notes that the client may read. */
async function notes(client: RowhouseClient): Promise<Followed & { readonly seen: string[] }> {
  const seen: string[] = [];
  const channel = client
    .channel('notes')
    .on('postgres_changes', { event: '*', table: 'notes' }, ({ new: note }) =>
      seen.push(note['text']),
    );
  return { ...(await joined(channel)), seen };
}

let noteId = 0;
const write = (owner: string, text: string) =>
  live.project.sql(`insert into notes values (${(noteId += 1)}, '${text}', '${owner}')`);

test('each request has the token that the function returns then; null is a visitor', async () => {
  let token: string | null = await issuer.tokenOf('ada');
  const client = live.client({ accessToken: async () => token });
  const who = async () => (await client.rpc('who').throwOnError()).data;
  expect(await who()).toBe('ada');
  await client.from('notes').insert({ id: 1_000, text: 'of Ada' }).throwOnError();
  token = await issuer.tokenOf('bob');
  expect(await who()).toBe('bob');
  expect((await client.from('notes').select().throwOnError()).data).toEqual([]);
  token = null;
  expect(await who()).toBeNull();
});

test('files are those of the user of the token', async () => {
  let token: string | null = await issuer.tokenOf('ada');
  const bucket = live.client({ accessToken: async () => token }).storage.from('docs');
  expect(await bucket.upload('a.txt', 'hello')).toMatchObject({ error: null });
  expect(await (await bucket.download('a.txt')).data?.text()).toBe('hello');
  token = null;
  expect(await bucket.download('a.txt')).toMatchObject({ data: null, error: {} });
  expect((await bucket.download('a.txt')).error?.status).toBeGreaterThanOrEqual(400);
});

test('a function that fails is the error of the request', async () => {
  const client = live.client({ accessToken: () => Promise.reject(new Error('no network')) });
  const { error } = await client.from('notes').select();
  expect(error).toMatchObject({ status: 0, message: expect.stringContaining('no network') });
});

test('a channel asks for another token when its own expires, and misses nothing', async () => {
  const given: string[] = [];
  const accessToken = async () => {
    const token = await issuer.tokenOf('ada', given.length < 3 ? 3 : 300);
    given.push(token);
    return token;
  };
  const { seen, statuses } = await notes(live.client({ accessToken }));
  const { opened } = live.gateway.sockets;
  await write('ada', 'first');
  await arrived(seen, 1);
  await arrived(given, 4);
  await write('ada', 'second');
  expect(await arrived(seen, 2)).toEqual(['first', 'second']);
  expect(statuses).toEqual(['SUBSCRIBED']);
  expect(live.gateway.sockets.opened).toBe(opened);
});

test('channels follow the token of the requests: another user, and nobody', async () => {
  let token: string | null = await issuer.tokenOf('ada');
  const client = live.client({ accessToken: async () => token });
  const followed = await notes(client);
  await followed.channel.track({ name: 'Ada' });
  await client.rpc('who');
  token = await issuer.tokenOf('bob');
  await client.rpc('who');
  await followed.subscribed(2);
  expect(followed.channel.presenceState()).toEqual({});
  await write('ada', 'of Ada');
  await write('bob', 'of Bob');
  expect(await arrived(followed.seen, 1)).toEqual(['of Bob']);
  token = null;
  await client.rpc('who');
  await followed.subscribed(3);
  const witness = await notes(live.client({}, live.project.secretKey));
  await write('bob', 'last');
  await arrived(witness.seen, 1);
  expect(followed.seen).toEqual(['of Bob']);
});

test('there is no session: client.auth throws', () => {
  const client = live.client({ accessToken: async () => null });
  expect(() => client.auth).toThrow('With the option accessToken the client has no session');
});
