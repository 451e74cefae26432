// Presence, from the table "Events" of the contract, row by row, with our own client.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { arrived, follow, joined, Live, message } from './support/live.js';

let live: Live;
beforeAll(async () => {
  live = await Live.open();
}, 60_000);
afterAll(() => live.close());

describe('presence', () => {
  type Seen = { readonly event: string; readonly key?: string };

  async function present(topic: string, key: string) {
    const seen: Seen[] = [];
    const channel = live
      .client()
      .channel(topic, { config: { presence: { key } } })
      .on('presence', { event: 'sync' }, () => seen.push({ event: 'sync' }))
      .on('presence', { event: 'join' }, (change) => seen.push(change))
      .on('presence', { event: 'leave' }, (change) => seen.push(change));
    await joined(channel);
    return { channel, seen };
  }

  test('the server sends full state, and the client derives sync, join and leave', async () => {
    const [one, two] = [await present('hall', 'one'), await present('hall', 'two')];
    expect(await one.channel.track({ mood: 'fine' })).toBe('ok');
    const entry = { mood: 'fine', presence_ref: expect.any(String) };
    const come = { event: 'join', key: 'one', currentPresences: [], newPresences: [entry] };
    // After the join with nothing, and after the first change.
    expect(await arrived(two.seen, 3)).toEqual([{ event: 'sync' }, come, { event: 'sync' }]);
    expect(two.channel.presenceState()).toEqual({ one: [entry] });
    expect(await one.channel.untrack()).toBe('ok');
    const gone = { event: 'leave', key: 'one', currentPresences: [], leftPresences: [entry] };
    expect((await arrived(two.seen, 5)).slice(3)).toEqual([gone, { event: 'sync' }]);
    expect(two.channel.presenceState()).toEqual({});
  });

  test('it is keyed by config.presence.key', async () => {
    const all = [await present('keys', 'ada'), await present('keys', 'ada')];
    for (const { channel } of all) await channel.track({ at: 'home' });
    const third = await present('keys', 'bob');
    expect(Object.keys(third.channel.presenceState())).toEqual(['ada']);
    expect(third.channel.presenceState()['ada']).toHaveLength(2);
    await all[0]?.channel.unsubscribe();
    await waitFor(() => third.seen.some(({ event }) => event === 'leave'));
    expect(third.seen.at(-2)).toMatchObject({ event: 'leave', key: 'ada' });
    expect(third.channel.presenceState()['ada']).toHaveLength(1);
  });

  test('track and send before the join ack are rejected server side', async () => {
    const client = live.client();
    // It opens the connection.
    await joined(client.channel('first'));
    const early = client
      .channel('early')
      .on('postgres_changes', { event: '*', table: 'planets' }, () => undefined);
    const followed = follow(early);
    // They follow the join at once, while the server looks at the table.
    const outcomes = [early.send(message('moved', 1)), early.track({ mood: 'fine' })];
    expect(await Promise.all(outcomes)).toEqual(['error', 'error']);
    await followed.subscribed();
    expect(early.presenceState()).toEqual({});
    expect(await early.track({ mood: 'fine' })).toBe('ok');
  });
});
