// Clients whose token another issuer has signed: it says which claims they have, and nothing but its `exp` when it ends.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import { openTokenIssuer, type TokenIssuer } from '../support/token-issuer.js';
import {
  changesIn,
  changesOf,
  changesUntil,
  ChannelFixture,
  refusalOf,
  systemFrame,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await openTokenIssuer();
  fixture = await ChannelFixture.open(
    `create table public.notes (text text, owner text);
     create policy own on public.notes to authenticated using (owner = auth.uid());
     create table public.plans (text text);
     create policy paying on public.plans to authenticated
       using ((select auth.jwt() ->> 'plan') = 'paid')`,
    'outbound',
  );
  await issuer.enableIn(fixture.project);
}, 60_000);
afterAll(async () => {
  await fixture.close();
  await issuer.close();
});

const notes = changesOf({ table: 'notes' });
const write = (text: string) => fixture.project.sql(`insert into notes values ('${text}', 'ada')`);

test('an open connection receives nothing after the end of its token, until it has another', async () => {
  const client = await fixture.joined('notes', notes, { token: await issuer.tokenOf('ada', 2) });
  const witness = await fixture.joined('notes', notes, { apikey: fixture.project.secretKey });
  await systemFrame(client, 'TOKEN_EXPIRED');
  await write('in the pause');
  await changesUntil(witness, 'in the pause');
  expect(changesIn(client)).toEqual([]);
  const token = await issuer.tokenOf('ada');
  expect(await client.ask('rt:token', { token })).toEqual({ status: 'ok' });
  await changesUntil(client, 'in the pause');
});

test('a token that has ended opens no connection', async () => {
  const token = await issuer.tokenOf('ada', -1);
  expect(await refusalOf(fixture.client({ token }))).toMatchObject({ code: 'SESSION_ENDED' });
});

test('a client receives what the subject and the claims of its token may read', async () => {
  const tables = changesOf({ table: 'notes' }, { table: 'plans' });
  const join = async (subject: string, claims: Readonly<Record<string, unknown>>) =>
    fixture.joined('claims', tables, { token: await issuer.tokenOf(subject, 300, claims) });
  const ada = await join('ada', {});
  const bob = await join('bob', { plan: 'paid' });
  const witness = await fixture.joined('claims', tables, { apikey: fixture.project.secretKey });
  await fixture.project.sql(`insert into plans values ('for plans')`);
  await write('for ada');
  await fixture.project.sql(`insert into notes values ('for bob', 'bob')`);
  await changesUntil(witness, 'for bob');
  await changesUntil(bob, 'for bob');
  await changesUntil(ada, 'for ada');
  const textsIn = (client: RealtimeClient) =>
    changesIn(client).map((change) => asRecord(change.new)['text']);
  expect(textsIn(ada)).toEqual(['for ada']);
  expect(textsIn(bob)).toEqual(['for plans', 'for bob']);
});
