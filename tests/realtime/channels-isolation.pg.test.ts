// Channels of two projects of one deployment, with the same names everywhere: nothing crosses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { assertionFor, saveSettings, signedToken } from '../isolation/neighbors.js';
import { sendRaw } from '../isolation/raw-request.js';
import { asRecord } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bearer } from '../support/replies.js';
import { openTokenIssuer, type TokenIssuer } from '../support/token-issuer.js';
import {
  type Auth,
  changesIn,
  changesOf,
  changesUntil,
  ChannelFixture,
  messagesIn,
  refusalOf,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

const tables = `create table public.notes (id int, text text);
  create table public.visits (text text);
  create policy visitors on public.visits to anon using (auth.uid() is null);
  create table public.tokens_only (text text);
  create policy tokens on public.tokens_only using (auth.uid() is not null or current_user <> 'anon');
  revoke select on public.notes from anon;
  create policy everybody on public.notes to authenticated using (true);
  create policy everybody on realtime.messages to authenticated using (true) with check (true);`;
let fixture: ChannelFixture;
let a: ProjectUnderTest;
let b: ProjectUnderTest;
let ann: SignedIn;
let bob: SignedIn;
let issuers: readonly [TokenIssuer, TokenIssuer];
/** Of A. */
let tokens: Readonly<Record<'web' | 'apiKey' | 'foreign' | 'foreignForBob', string>>;
beforeAll(async () => {
  fixture = await ChannelFixture.open(tables, 'outbound');
  a = fixture.project;
  b = await fixture.deployment.createProject();
  await b.sql(tables);
  [ann, bob] = await Promise.all([a.signUp('ann@example.org'), b.signUp('ann@example.org')]);
  issuers = [await openTokenIssuer(), await openTokenIssuer()];
  for (const [project, issuer] of [
    [a, issuers[0]],
    [b, issuers[1]],
  ] as const) {
    await issuer.enableIn(project);
    await saveSettings(project, 'auth.apiKey', { enabled: true });
  }
  const answerOf = async (call: Call) => asRecord((await a.as(ann, call)).body);
  const newKey = { method: 'POST', path: '/api/auth/api-key/create', body: { name: 'robot' } };
  tokens = {
    web: String((await answerOf({ path: '/api/auth/token' }))['token']),
    apiKey: String((await answerOf(newKey))['key']),
    foreign: await issuers[0].tokenOf('ada'),
    foreignForBob: await issuers[0].tokenOf(bob.id),
  };
}, 60_000);
afterAll(async () => {
  await fixture.close();
  for (const issuer of issuers) await issuer.close();
});

const notes = changesOf({ table: 'notes' });
const join = (client: RealtimeClient, config: object = {}) =>
  client.ask('rt:join', { topic: 'room', config });

/** What a client shows when it connects. */
interface Shown {
  readonly name: string;
  readonly auth?: () => Auth;
  readonly headers?: () => Readonly<Record<string, string>>;
}
interface Token {
  readonly name: string;
  readonly token: () => string;
}
const shownAs = ({ name, token }: Token): Shown => ({ name, auth: () => ({ token: token() }) });
const assertionOf = ({ ref }: ProjectUnderTest) => ({
  'x-rowhouse-operator': assertionFor(fixture.deployment, ref),
});

describe("of A's credentials", () => {
  const valid: readonly Token[] = [
    { name: 'the session', token: () => ann.token },
    { name: 'the signed session', token: () => signedToken(ann) },
    { name: 'the API key of a user', token: () => tokens.apiKey },
    { name: 'a token of its issuer', token: () => tokens.foreign },
    { name: 'a token of its issuer for a user of B', token: () => tokens.foreignForBob },
    { name: 'the secret key as token', token: () => a.secretKey },
  ];
  const all: readonly Token[] = [
    ...valid,
    { name: 'the web token', token: () => tokens.web },
    { name: 'the console token of an operator', token: () => fixture.deployment.operatorToken },
    { name: 'the publishable key as token', token: () => a.publishableKey },
  ];
  const foreign: readonly Shown[] = [
    ...all.map(shownAs),
    ...all.map(({ name, token }) => ({
      name: `${name}, with B's publishable key,`,
      auth: () => ({ token: token(), apikey: b.publishableKey }),
    })),
    { name: 'the session as a header', headers: () => bearer(ann) },
    { name: 'the session as a cookie', headers: () => ({ cookie: ann.cookie }) },
    { name: 'the secret key', auth: () => ({ apikey: a.secretKey }) },
    { name: 'the publishable key', auth: () => ({ apikey: a.publishableKey }) },
    { name: 'the API key of a user as key', auth: () => ({ apikey: tokens.apiKey }) },
    {
      name: 'the secret key, impersonating a user of B,',
      auth: () => ({ apikey: a.secretKey, impersonate: bob.id }),
    },
    {
      name: 'the secret key, impersonating a visitor,',
      auth: () => ({ apikey: a.secretKey, impersonate: 'anon' }),
    },
    {
      name: "B's publishable key, impersonating a user of B,",
      auth: () => ({ apikey: b.publishableKey, impersonate: bob.id }),
    },
    { name: 'the assertion of an operator', headers: () => assertionOf(a) },
    {
      name: 'the assertion of an operator, impersonating a user of B,',
      headers: () => ({ ...assertionOf(a), 'x-service-impersonate': bob.id }),
    },
    {
      name: "the assertion of an operator, with B's secret key,",
      auth: () => ({ apikey: b.secretKey }),
      headers: () => assertionOf(a),
    },
  ];

  test.each(foreign)('$name is refused by B, or is a visitor', async ({ auth, headers }) => {
    const connecting = fixture.client(auth?.(), b, headers?.());
    const client = await connecting.catch(() => undefined);
    if (client) await expectVisitor(client);
    else expect([401, 403]).toContain(asRecord(await refusalOf(connecting))['status']);
  });

  test.each(all)('$name does not renew the connection of a visitor of B', async ({ token }) => {
    const client = await fixture.client({}, b);
    const renewed = await client.ask('rt:token', { token: token() });
    expect(['SESSION_ENDED', 'INVALID_API_KEY']).toContain(renewed['code']);
    await expectVisitor(client);
  });

  test.each<Shown>([
    ...valid.map(shownAs),
    { name: 'the secret key', auth: () => ({ apikey: a.secretKey }) },
    {
      name: 'the secret key, impersonating,',
      auth: () => ({ apikey: a.secretKey, impersonate: ann.id }),
    },
    { name: 'the assertion of an operator', headers: () => assertionOf(a) },
  ])('$name works at the host of A', async ({ auth, headers }) => {
    const client = await fixture.client(auth?.(), a, headers?.());
    expect(await join(client, notes)).toMatchObject({ status: 'ok' });
    expect(await join(client, { private: true })).toMatchObject({ status: 'ok' });
  });
});

let writes = 0;
/** Expects that a client of B is signed out, and receives nothing that visitors must not see. */
async function expectVisitor(client: RealtimeClient): Promise<void> {
  expect(await join(client, notes)).toMatchObject({ status: 'error', code: '42501' });
  expect(await join(client, { private: true })).toMatchObject({ code: 'CHANNEL_REFUSED' });
  const visits = changesOf({ table: 'visits' }, { table: 'tokens_only' });
  expect(await join(client, visits)).toMatchObject({ status: 'ok' });
  const last = `visit ${(writes += 1)}`;
  await b.sql(`select realtime.send('"secret of B"', 'e', 'room', true);
    insert into notes values (1, 'secret of B'); insert into tokens_only values ('secret of B');
    insert into visits values ('${last}')`);
  await changesUntil(client, last);
  expect(changesIn(client)).toEqual([{ eventType: 'INSERT', new: { text: last }, old: {} }]);
  for (const event of ['rt:msg', 'rt:presence']) expect(client.frames(event)).toEqual([]);
}

test.each([{ isPrivate: false }, { isPrivate: true }])(
  'topics of one name do not meet (private: $isPrivate)',
  async ({ isPrivate }) => {
    const [ofA, ofB] = [
      await fixture.client({ token: ann.token }, a),
      await fixture.client({ token: bob.token }, b),
    ];
    const config = { private: isPrivate, broadcast: { self: true }, presence: { key: 'me' } };
    for (const client of [ofA, ofB]) {
      expect(await join(client, { ...config, ...notes })).toMatchObject({ status: 'ok' });
    }
    const own = [
      { project: a, client: ofA, word: 'word of A' },
      { project: b, client: ofB, word: 'word of B' },
    ];
    for (const { project, client, word } of own) {
      await client.ask('rt:send', { topic: 'room', event: 'e', payload: word });
      await client.ask('rt:track', { topic: 'room', payload: { word } });
      await project.sql(`select realtime.send('"SQL ${word}"', 'e', 'room', ${isPrivate});
        insert into notes values (1, '${word}')`);
    }
    for (const { client, word } of own) {
      await waitFor(
        () => messagesIn(client).length === 2 && client.frames('rt:presence').length > 0,
      );
      await changesUntil(client, word);
      expect(messagesIn(client)).toEqual([word, `SQL ${word}`]);
      expect(changesIn(client)).toMatchObject([{ new: { text: word } }]);
      expect(client.frames('rt:presence').at(-1)).toMatchObject({ state: { me: [{ word }] } });
    }
  },
);

test('the secret key impersonates users of its project and signed-out callers', async () => {
  const auth = { apikey: a.secretKey };
  const user = await fixture.client({ ...auth, impersonate: ann.id }, a);
  expect(await join(user, { private: true })).toMatchObject({ status: 'ok' });
  const anon = await fixture.client({ ...auth, impersonate: 'anon' }, a);
  expect(await join(anon, notes)).toMatchObject({ code: '42501' });
  const refused = fixture.client({ ...auth, impersonate: bob.id }, a);
  expect(await refusalOf(refused)).toMatchObject({ code: expect.any(String) });
  const withoutKey = fixture.client({ token: ann.token, impersonate: ann.id }, a);
  expect(await refusalOf(withoutKey)).toMatchObject({ code: 'IMPERSONATION_REFUSED', status: 403 });
});

test.each([
  { name: 'a number', auth: { token: 7 }, field: 'auth.token' },
  { name: 'an object', auth: { apikey: { a: 1 } }, field: 'auth.apikey' },
])('$name is no credential', async ({ auth, field }) => {
  expect(await refusalOf(fixture.client(auth))).toMatchObject({
    code: 'INVALID_FRAME',
    details: { field },
  });
});

test('a cookie is not read: a foreign page cannot connect in the name of its visitor', async () => {
  const cookie = ann.cookie;
  expect((await a.send({ path: '/rest/v1/notes', headers: { cookie } })).status).toBe(200);
  expect(await join(await fixture.client({}, a, { cookie }), notes)).toMatchObject({
    code: '42501',
  });
});

test('a host of no project is refused', async () => {
  const nowhere = Object.create(a, {
    host: { value: 'nowhere.localhost' },
  }) as ProjectUnderTest;
  expect(await refusalOf(fixture.client({}, nowhere))).toMatchObject({
    code: 'PROJECT_NOT_FOUND',
    status: 404,
  });
});

describe('a request for another protocol is answered as if it had not asked:', () => {
  const lines = (path: string, upgrade: string) => [
    `GET ${path} HTTP/1.1`,
    `host: ${a.host}`,
    'connection: Upgrade, HTTP2-Settings',
    `upgrade: ${upgrade}`,
  ];
  test.each([
    { name: 'h2c', path: '/api/health-check', upgrade: 'h2c', status: 200 },
    { name: 'WebSocket', path: '/api/health-check', upgrade: 'websocket', status: 200 },
    { name: 'h2c for no route', path: '/rest/v1/nothing', upgrade: 'h2c', status: 404 },
  ])('$name at $path', async ({ path, upgrade, status }) => {
    const reply = await sendRaw(a.apiOrigin, lines(path, upgrade));
    expect(reply.status).toBe(status);
    expect(reply.text).toContain('application/json');
  });

  test('the body of a POST arrives', async () => {
    const body = JSON.stringify({ query: 'select 1 as one' });
    const reply = await sendRaw(a.apiOrigin, [
      'POST /api/admin/sql HTTP/1.1',
      `host: ${a.host}`,
      'connection: Upgrade, HTTP2-Settings',
      'upgrade: h2c',
      `apikey: ${a.secretKey}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      '',
      body,
    ]);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.text).toContain('"one":1');
  });
});
