// Policies on realtime.messages that read columns of a message: rights in a private topic are decided before there is one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import type { SignedIn } from '../support/project.js';
import { ChannelFixture, messagesIn, systemFrame } from './channel-fixture.js';

let fixture: ChannelFixture;
let ann: SignedIn;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public.members (room text);
    create policy anyone on public.members for select using (true);
    insert into public.members values ('members'), ('rows');
    create function public.may_read(message realtime.messages) returns boolean language sql stable
      as $$ select message.payload is null $$;

    create policy open on realtime.messages for select to authenticated using (realtime.topic() in ('send', 'open'));
    create policy by_payload on realtime.messages for select to authenticated
      using (topic = 'payload' and payload ->> 'kind' = 'open');
    create policy by_event on realtime.messages for select to anon using (event = 'moved' and id is not null);
    create policy by_row on realtime.messages for select to anon using (public.may_read(messages));
    create policy narrower on realtime.messages as restrictive for select to anon using (topic <> 'denied');

    create policy by_size on realtime.messages for insert to authenticated
      with check (topic = 'send' and payload is not null);
    create policy open_for_sending on realtime.messages for insert to authenticated
      with check (topic = 'open' and exists (select m from public.members m where topic = 'open'));`);
  ann = await fixture.project.signUp('ann@example.org');
}, 60_000);
afterAll(() => fixture.close());

const config = { private: true };
const reading = (policies: string) =>
  'The policies of realtime.messages are evaluated before there is a message, and may read topic, extension and ' +
  `private: ${policies}`;
const refusedFor = (policies: string) => ({
  status: 'error',
  code: 'POLICY_READS_MESSAGE',
  message: reading(policies),
});

describe('a join is refused when the answer depends on a policy that reads', () => {
  test.each([
    { name: 'the payload', isUser: true, policies: 'by_payload reads payload' },
    {
      name: 'several columns, and the row as a whole',
      isUser: false,
      policies: 'by_event reads id, event; by_row reads the whole row',
    },
  ])('$name', async ({ isUser, policies }) => {
    const client = await (isUser ? fixture.as(ann) : fixture.client());
    const answer = await client.ask('rt:join', { topic: 'payload', config });
    expect(answer).toMatchObject(refusedFor(policies));
  });
});

test('policies that read no message decide where they can', async () => {
  const visitor = await fixture.client();
  expect(await visitor.ask('rt:join', { topic: 'denied', config })).toMatchObject({
    code: 'CHANNEL_REFUSED',
  });
  const client = await fixture.as(ann);
  const own = { ...config, broadcast: { self: true } };
  expect(await client.ask('rt:join', { topic: 'open', config: own })).toMatchObject({
    status: 'ok',
  });
  const message = { topic: 'open', event: 'said', payload: 'words' };
  expect(await client.ask('rt:send', message)).toMatchObject({ status: 'ok' });
  await waitFor(() => messagesIn(client).includes('words'));
});

test('a message and a presence are refused: over the channel, and over HTTP', async () => {
  const client = await fixture.as(ann);
  const refused = refusedFor('by_size reads payload');
  const topic = 'send';
  expect(await client.ask('rt:join', { topic, config })).toMatchObject({ status: 'ok' });
  const message = { topic, event: 'said', payload: 'words' };
  expect(await client.ask('rt:send', message)).toMatchObject(refused);
  expect(await client.ask('rt:track', { topic, payload: {} })).toMatchObject(refused);
  const body = { messages: [{ ...message, private: true }] };
  const reply = await fixture.project.as(ann, {
    method: 'POST',
    path: '/api/realtime/broadcast',
    body,
  });
  expect({ status: reply.status, body: reply.body }).toMatchObject({
    status: 403,
    body: {
      code: refused.code,
      message: refused.message,
      details: { field: 'messages[0].topic' },
    },
  });
});

test('a restrictive policy that reads the payload lets nothing pass, and ends channels', async () => {
  const client = await fixture.as(ann);
  const join = { topic: 'open', config };
  expect(await client.ask('rt:join', join)).toMatchObject({ status: 'ok' });
  await fixture.project.sql(`create policy no_secrets on realtime.messages as restrictive for select
    to authenticated using (payload ->> 'kind' is distinct from 'secret')`);
  const { message } = refusedFor('by_payload reads payload; no_secrets reads payload');
  expect(await systemFrame(client, 'POLICY_READS_MESSAGE')).toMatchObject({ t: 'open', message });
  expect(await client.ask('rt:join', join)).toMatchObject({ code: 'POLICY_READS_MESSAGE' });
  await fixture.project.sql('drop policy no_secrets on realtime.messages');
});
