// Messages and private channels, from the table "Events" of the contract, row by row, with our own client.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SignedIn } from '../support/project.js';
import { arrived, joined, Live, message } from './support/live.js';

let live: Live;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  live = await Live.open(`
    create table public.members (room text, "user" text, may text);
    create function public.may(what text) returns boolean language sql stable security definer
      set search_path = '' as $$ select exists (select from public.members m
        where m.room = realtime.topic() and m."user" = auth.uid() and m.may = what) $$;
    create policy receive on realtime.messages for select to authenticated using (public.may('receive'));
    create policy send on realtime.messages for insert to authenticated
      with check (extension = 'broadcast' and public.may('send'));
    create policy track on realtime.messages for insert to authenticated
      with check (extension = 'presence' and public.may('track'));`);
  ada = await live.project.signUp('ada@example.org');
  bob = await live.project.signUp('bob@example.org');
}, 60_000);
afterAll(() => live.close());

describe('broadcast', () => {
  async function room(topic: string, config: object = {}) {
    const [sender, receiver] = [live.client(), live.client()];
    const own: unknown[] = [];
    const others: unknown[] = [];
    const { channel } = await joined(
      sender.channel(topic, { config }).on('broadcast', { event: '*' }, (one) => own.push(one)),
    );
    await joined(
      receiver.channel(topic).on('broadcast', { event: 'moved' }, (one) => others.push(one)),
    );
    return { channel, own, others };
  }

  test('send({ type, event, payload }) reaches the others, by the name of the event', async () => {
    const { channel, own, others } = await room('moves');
    expect(await channel.send(message('other', 1))).toBe('ok');
    expect(await channel.send(message('moved', { x: 3 }))).toBe('ok');
    expect(await arrived(others, 1)).toEqual([
      { type: 'broadcast', event: 'moved', payload: { x: 3 } },
    ]);
    expect(own).toEqual([]);
  });

  test('the sender receives its own message only with config.broadcast.self', async () => {
    const { channel, own, others } = await room('self', { broadcast: { self: true } });
    await channel.send(message('moved', 1));
    await arrived(others, 1);
    expect(await arrived(own, 1)).toEqual([{ type: 'broadcast', event: 'moved', payload: 1 }]);
  });

  test('with config.broadcast.ack the send resolves to ok', async () => {
    const { channel, others } = await room('ack', { broadcast: { ack: true } });
    expect(await channel.send(message('moved', 1))).toBe('ok');
    await arrived(others, 1);
  });

  test('with config.broadcast.ack the send resolves to timed out', async () => {
    const { channel } = await room('late', { broadcast: { ack: true } });
    live.gateway.sockets.hold(true);
    try {
      expect(await channel.send(message('moved', 1), { timeout: 50 })).toBe('timed out');
    } finally {
      live.gateway.sockets.hold(false);
    }
  });

  test('with config.broadcast.ack the send resolves to error', async () => {
    const { channel } = await room('large', { broadcast: { ack: true } });
    expect(await channel.send(message('moved', 'x'.repeat(300_000)))).toBe('error');
  });
});

describe('a channel flagged private is checked against policies on realtime.messages', () => {
  const allow = (room: string, user: SignedIn, ...things: readonly string[]) =>
    Promise.all(
      things.map((may) =>
        live.project.sql(`insert into members values ('${room}', '${user.id}', '${may}')`),
      ),
    );
  const config = { private: true, broadcast: { ack: true } };

  test('SELECT to receive', async () => {
    await allow('board', ada, 'receive', 'send');
    const [one, two] = [await live.as(ada), await live.as(bob)];
    const seen: unknown[] = [];
    await joined(
      one
        .channel('board', { ...config, broadcast: { self: true, ack: true } })
        .on('broadcast', { event: '*' }, ({ payload }) => seen.push(payload)),
    );
    const refused = new Promise((resolve) => {
      two.channel('board', config).subscribe((_, error) => resolve(error));
    });
    expect(await refused).toMatchObject({ code: 'CHANNEL_REFUSED', message: expect.any(String) });
    await one.channel('board').send(message('moved', 1));
    expect(await arrived(seen, 1)).toEqual([1]);
  });

  test('INSERT to send or track', async () => {
    await allow('chat', ada, 'receive', 'send');
    await allow('chat', bob, 'receive', 'track');
    const [one, two] = [await live.as(ada), await live.as(bob)];
    const [sender, tracker] = [
      await joined(one.channel('chat', config)),
      await joined(two.channel('chat', config)),
    ];
    expect(await sender.channel.send(message('moved', 1))).toBe('ok');
    expect(await sender.channel.track({ a: 1 })).toBe('error');
    expect(await tracker.channel.send(message('moved', 1))).toBe('error');
    expect(await tracker.channel.track({ a: 1 })).toBe('ok');
  });
});
