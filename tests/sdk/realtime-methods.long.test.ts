// The methods of channels, and the statuses that they report: point 12 of the wire contract of the client.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { arrived, follow, joined, Live, message } from './support/live.js';

let live: Live;
beforeAll(async () => {
  live = await Live.open();
}, 60_000);
afterAll(() => live.close());

describe('methods', () => {
  test('channel(name, config): flat and nested, flat fields win', async () => {
    const client = live.client();
    const own: unknown[] = [];
    const { channel } = await joined(
      client
        .channel('config', {
          config: { broadcast: { self: false }, presence: { key: 'nested' } },
          broadcast: { self: true },
        })
        .on('broadcast', { event: '*' }, ({ payload }) => own.push(payload)),
    );
    await channel.send(message('x', 1));
    expect(await arrived(own, 1)).toEqual([1]);
    await channel.track({ a: 1 });
    await waitFor(() => channel.presenceState()['nested'], { until: 'the client is present' });
    expect(client.channel('config')).toBe(channel);
  });

  test('.on(type, filter, cb): each registration is called once', async () => {
    const client = live.client();
    const calls: string[] = [];
    const twice = () => calls.push('twice');
    await joined(
      client
        .channel('on')
        .on('postgres_changes', { event: '*', table: 'planets' }, twice)
        .on('postgres_changes', { event: '*', table: 'planets' }, twice)
        .on('postgres_changes', { event: 'INSERT', table: 'planets' }, () => calls.push('insert'))
        .on('postgres_changes', { event: 'DELETE', table: 'planets' }, () => calls.push('delete')),
    );
    await client.from('planets').insert({ id: 100, name: 'x' }).throwOnError();
    expect([...(await arrived(calls, 3))].sort()).toEqual(['insert', 'twice', 'twice']);
  });

  test('.subscribe(cb) may be left without a callback', async () => {
    const client = live.client();
    const seen: unknown[] = [];
    client
      .channel('silent')
      .on('presence', { event: 'sync' }, () => seen.push('sync'))
      .subscribe();
    await arrived(seen, 1);
  });

  test('.send, .track, .untrack and presenceState', async () => {
    const client = live.client();
    const { channel } = await joined(client.channel('all', { presence: { key: 'me' } }));
    const states: unknown[] = [];
    channel.on('presence', { event: 'sync' }, () => states.push(channel.presenceState()));
    expect(await channel.send(message('x'))).toBe('ok');
    expect(await channel.track({ a: 1 })).toBe('ok');
    await arrived(states, 1);
    expect(channel.presenceState()).toEqual({ me: [{ a: 1, presence_ref: expect.any(String) }] });
    expect(await channel.untrack()).toBe('ok');
    await arrived(states, 2);
    expect(channel.presenceState()).toEqual({});
  });

  test('getChannels, removeChannel and removeAllChannels; the connection ends with the last', async () => {
    const { sockets } = live.gateway;
    const open = sockets.open;
    const client = live.client();
    const [one, two, three] = [client.channel('1'), client.channel('2'), client.channel('3')];
    for (const channel of [one, two, three]) await joined(channel);
    expect(client.getChannels()).toEqual([one, two, three]);
    expect(sockets.open).toBe(open + 1);
    expect(await client.removeChannel(two)).toBe('ok');
    expect(client.getChannels()).toEqual([one, three]);
    expect(await client.removeAllChannels()).toEqual(['ok', 'ok']);
    expect(client.getChannels()).toEqual([]);
    await waitFor(() => sockets.open === open, { until: 'the connection has ended' });
    // A channel after that opens another one.
    await joined(client.channel('4'));
    expect(sockets.open).toBe(open + 1);
    await client.removeAllChannels();
    await waitFor(() => sockets.open === open, { until: 'that has ended, too' });
  });

  test('a topic may be left and joined again at once, with the same channel and another', async () => {
    const client = live.client();
    const seen: unknown[] = [];
    const { channel } = await joined(client.channel('again'));
    const leaving = channel.unsubscribe();
    const next = follow(
      client.channel('again').on('broadcast', { event: '*' }, ({ payload }) => seen.push(payload)),
    );
    expect(await leaving).toBe('ok');
    await next.subscribed();
    expect(next.channel).not.toBe(channel);
    await (await joined(live.client().channel('again'))).channel.send(message('x', 1));
    expect(await arrived(seen, 1)).toEqual([1]);
    await next.channel.unsubscribe();
    await joined(channel);
  });
});

describe('statuses', () => {
  test('SUBSCRIBED: what commits after it arrives', async () => {
    const client = live.client();
    const seen: unknown[] = [];
    const channel = client
      .channel('subscribed')
      .on('postgres_changes', { event: 'INSERT', table: 'planets' }, ({ new: row }) =>
        seen.push(row['id']),
      );
    const { statuses } = await joined(channel);
    await live.project.sql(`insert into planets (id, name) values (200, 'x')`);
    expect(await arrived(seen, 1)).toEqual([200]);
    expect(statuses).toEqual(['SUBSCRIBED']);
  });

  test('TIMED_OUT: the server does not answer in time; the channel joins later', async () => {
    const client = live.client();
    await joined(client.channel('connection'));
    live.gateway.sockets.hold(true);
    const late = follow(client.channel('late'), 50);
    await arrived(late.statuses, 1);
    live.gateway.sockets.hold(false);
    await late.subscribed();
    expect(late.statuses[0]).toBe('TIMED_OUT');
    expect(late.statuses.at(-1)).toBe('SUBSCRIBED');
    expect(late.errors).toEqual([]);
  });

  test.each([
    { name: 'a table that does not exist', table: 'nothing', code: 'PGRST205' },
    { name: 'a filter that is wrong', table: 'planets', filter: 'moons', code: 'INVALID_FRAME' },
    {
      name: 'a column that is not there',
      table: 'planets',
      filter: 'x=eq.1',
      code: 'INVALID_FRAME',
    },
  ])('CHANNEL_ERROR with code and message: $name', async ({ code, name, table, filter }) => {
    const channel = live.client().channel(name);
    const wanted = { event: '*', table, ...(filter !== undefined && { filter }) } as const;
    const failed = new Promise<unknown[]>((resolve) => {
      channel
        .on('postgres_changes', wanted, () => undefined)
        .subscribe((...report) => resolve(report));
    });
    const [status, error] = await failed;
    expect(status).toBe('CHANNEL_ERROR');
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/\w/) });
  });

  test('CHANNEL_ERROR: a key that is not of the project, and other channels of the client too', async () => {
    const client = live.client({}, 'svc_publishable_wrong');
    const all = [follow(client.channel('1')), follow(client.channel('2'))];
    for (const channel of all) expect(await channel.failed()).toBe('INVALID_API_KEY');
    expect(all.map(({ statuses }) => statuses)).toEqual([['CHANNEL_ERROR'], ['CHANNEL_ERROR']]);
  });

  test('CLOSED: after unsubscribe, once, and nothing after it', async () => {
    const client = live.client();
    const seen: unknown[] = [];
    const other = await joined(live.client().channel('closed'));
    const followed = await joined(
      client.channel('closed').on('broadcast', { event: '*' }, (one) => seen.push(one)),
    );
    expect(await followed.channel.unsubscribe()).toBe('ok');
    expect(await followed.channel.unsubscribe()).toBe('ok');
    const witness = await joined(
      live
        .client()
        .channel('closed')
        .on('broadcast', { event: '*' }, (one) => seen.push([one])),
    );
    await other.channel.send(message('x', 1));
    await arrived(seen, 1);
    expect(seen).toEqual([[{ type: 'broadcast', event: 'x', payload: 1 }]]);
    expect(followed.statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
    expect(witness.statuses).toEqual(['SUBSCRIBED']);
  });
});
