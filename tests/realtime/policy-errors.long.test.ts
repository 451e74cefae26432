// A policy that raises an error on a change for one of two users: that user receives no
// more changes of that table, and nothing else ends.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createClient, memoryStorage, type RealtimeGap } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { asRecord } from '../support/deployment.js';
import type { SignedIn } from '../support/project.js';
import { openGateway } from '../sdk/support/gateway.js';
import {
  changesIn,
  changesOf,
  changesUntil,
  ChannelFixture,
  messagesIn,
  systemFrame,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
let [ann, bob]: SignedIn[] = [];
beforeAll(async () => {
  // A note whose text is the id of its reader divides by zero.
  fixture = await ChannelFixture.open(`
    create table public.notes (text text);
    create policy divides on public.notes to authenticated
      using (case when text = auth.uid() then 1 / (length(text) - length(text)) = 1 else true end);
    create table public.songs (title text);
    create policy everybody on public.songs using (true);`);
  ann = await fixture.project.signUp('ann@example.org');
  bob = await fixture.project.signUp('bob@example.org');
}, 60_000);
afterAll(() => fixture.close());

const both = changesOf({ table: 'songs' }, { table: 'notes' }, { event: 'DELETE', table: 'notes' });
const note = (text = '') => fixture.project.sql(`insert into notes values ('${text}')`);
const song = (title: string) => fixture.project.sql(`insert into songs values ('${title}')`);
const idOfAnn = () => ann?.id ?? '';

/** Joins a topic with both tables as both users. Returns the ids of Ann's bindings, too. */
async function join(topic: string) {
  const [ofAnn, ofBob] = [
    await fixture.client({ token: ann?.token }),
    await fixture.client({ token: bob?.token }),
  ];
  const joined = await ofAnn.ask('rt:join', { topic, config: both });
  expect(joined).toMatchObject({ status: 'ok', bindings: [{}, {}, {}] });
  expect(await ofBob.ask('rt:join', { topic, config: both })).toMatchObject({ status: 'ok' });
  // The acknowledgement has these fields.
  const { bindings, cursor } = joined as { bindings: { id: string }[]; cursor: string };
  return { ofAnn, ofBob, ids: bindings.map(({ id }) => id), cursor };
}

const rowsIn = (client: RealtimeClient): readonly unknown[] =>
  changesIn(client).map((change) => Object.values(asRecord(change.new))[0]);

test('it ends the bindings to that table of that user, and nothing else', async () => {
  const { ofAnn, ofBob, ids } = await join('room');
  await note('first');
  await changesUntil(ofAnn, 'first');
  await note(idOfAnn());
  const frame = await systemFrame(ofAnn, 'POLICY_FAILED');
  expect(frame).toEqual({
    t: 'room',
    b: ids.slice(1),
    status: 'error',
    code: 'POLICY_FAILED',
    message: 'A policy of the table notes failed',
  });
  await changesUntil(ofBob, idOfAnn());

  // The channel of the user continues with its other table, and with messages.
  await note('second');
  await song('a song');
  await changesUntil(ofAnn, 'a song');
  await ofBob.ask('rt:send', { topic: 'room', event: 'said', payload: 'a word' });
  await waitFor(() => messagesIn(ofAnn).includes('a word'));
  await changesUntil(ofBob, 'a song');
  expect(rowsIn(ofAnn)).toEqual(['first', 'a song']);
  expect(rowsIn(ofBob)).toEqual(['first', idOfAnn(), 'second', 'a song']);
  expect(ofAnn.frames('rt:system')).toHaveLength(1);
  expect(ofBob.frames('rt:system')).toEqual([]);
});

test('bindings that have ended do not come back with a change of the schema, but with a join', async () => {
  const { ofAnn, ofBob, cursor } = await join('again');
  await note(idOfAnn());
  await systemFrame(ofAnn, 'POLICY_FAILED');
  // Its channels follow the table that has this name now.
  await fixture.project.sql(`drop table songs; create table songs (title text);
    create policy everybody on songs using (true)`);
  await waitFor(async () => {
    await song('after the change');
    return rowsIn(ofAnn).includes('after the change');
  });
  await note('unseen');
  await song('the last one');
  await changesUntil(ofAnn, 'the last one');
  await changesUntil(ofBob, 'unseen');
  expect(rowsIn(ofAnn)).not.toContain('unseen');

  // What was missed has the row on which the policy raises the error: it is not known which of it may be seen.
  const joined = await ofAnn.ask('rt:join', { topic: 'again', config: both, resume: cursor });
  expect(joined).toMatchObject({ status: 'ok', recovered: false });
  await note('seen');
  await changesUntil(ofAnn, 'seen');
  expect(ofAnn.frames('rt:system').map(({ code }) => code)).toEqual([
    'POLICY_FAILED',
    // Of the table before it was followed again.
    'CHANGES_MISSED',
  ]);
});

test('our client reports the error, joins again, and tells of the gap', async () => {
  const gateway = await openGateway(fixture.project);
  const client = createClient(gateway.url, fixture.project.publishableKey, {
    storage: memoryStorage(),
  });
  try {
    await client.auth.setSession({ access_token: ann?.token ?? '' });
    const reports: unknown[] = [];
    const gaps: RealtimeGap[] = [];
    const seen: unknown[] = [];
    client
      .channel('of the client')
      .on<{ text: string }>('postgres_changes', { event: '*', table: 'notes' }, (change) =>
        seen.push(change.new),
      )
      .onGap((gap) => gaps.push(gap))
      .subscribe((status, error) => reports.push(error?.code ?? status));
    await waitFor(() => reports.length === 1, { until: 'the channel is joined' });
    await note(idOfAnn());
    await waitFor(() => reports.length === 3, { until: 'the channel is joined again' });
    expect(reports).toEqual(['SUBSCRIBED', 'POLICY_FAILED', 'SUBSCRIBED']);
    await waitFor(() => gaps.length > 0, { until: 'a gap' });
    expect(gaps).toEqual([{ reason: 'missed' }]);
    await note('for the client');
    await waitFor(() => seen.length > 0, { until: 'a change' });
    expect(seen).toEqual([{ text: 'for the client' }]);
  } finally {
    await client.removeAllChannels();
    await gateway.close();
  }
});
