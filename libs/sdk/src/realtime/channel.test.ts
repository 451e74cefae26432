// What a channel refuses at once, without a server.
import { expect, test, vi } from 'vitest';

import { createClient } from '../client.js';

// Nothing answers there.
const newClient = () => createClient('http://127.0.0.1:9');

test('any other type than postgres_changes, broadcast and presence throws immediately', () => {
  const channel = newClient().channel('room');
  // @ts-expect-error -- the type does not exist
  expect(() => channel.on('system', {}, () => undefined)).toThrow(
    'Channels have no events of the type system: use postgres_changes, broadcast or presence',
  );
});

test('an event that a type does not have throws immediately', () => {
  const channel = newClient().channel('room');
  // @ts-expect-error -- the event does not exist
  expect(() => channel.on('presence', { event: 'come' }, () => undefined)).toThrow(
    'presence has no event come: use one of sync, join, leave',
  );
  const filter = { event: 'UPSERT', table: 'planets' };
  // @ts-expect-error -- the event does not exist
  expect(() => channel.on('postgres_changes', filter, () => undefined)).toThrow(
    'postgres_changes has no event UPSERT: use one of *, INSERT, UPDATE, DELETE',
  );
});

test('changes of tables are registered before subscribe', async () => {
  const client = newClient();
  const channel = client.channel('room').subscribe();
  expect(() =>
    channel.on('postgres_changes', { event: '*', table: 'planets' }, () => undefined),
  ).toThrow("Call on('postgres_changes', …) of room before subscribe()");
  channel.on('broadcast', { event: '*' }, () => undefined);
  expect(() => channel.subscribe()).toThrow('The channel room is subscribed already');
  await client.removeAllChannels();
});

test('a topic has one channel, until it is removed', async () => {
  const client = newClient();
  const room = client.channel('room', { private: true });
  expect(client.channel('room')).toBe(room);
  expect(client.channel('room', { config: { private: true } })).toBe(room);
  expect(() => client.channel('room', { private: false })).toThrow(
    'The channel room is there with another config: remove it first',
  );
  const hall = client.channel('hall');
  // What a config leaves out has its default.
  const spelledOut = { private: false, broadcast: { ack: false, self: false }, presence: {} };
  expect(client.channel('hall', spelledOut)).toBe(hall);
  expect(() => client.channel('hall', { presence: { key: 'me' } })).toThrow('another config');
  expect(client.getChannels()).toEqual([room, hall]);
  expect(await client.removeChannel(room)).toBe('ok');
  expect(client.getChannels()).toEqual([hall]);
  const next = client.channel('room');
  expect(next).not.toBe(room);
  expect(() => room.subscribe()).toThrow('The client has another channel room: remove it first');
  expect(await client.removeAllChannels()).toEqual(['ok', 'ok']);
  expect(client.getChannels()).toEqual([]);
});

test('nothing is sent before subscribe', async () => {
  const channel = newClient().channel('room');
  expect(await channel.send({ type: 'broadcast', event: 'moved' })).toBe('error');
  expect(await channel.track({})).toBe('error');
  expect(await channel.untrack()).toBe('error');
  expect(channel.presenceState()).toEqual({});
  // @ts-expect-error -- messages have one type
  await expect(channel.send({ type: 'presence', event: 'track' })).rejects.toThrow(
    'Channels send messages of the type broadcast, not presence',
  );
});

test('without a server the channel reports an error and stays', async () => {
  const client = newClient();
  const report = vi.fn();
  client.channel('room').subscribe(report);
  await vi.waitFor(() => expect(report).toHaveBeenCalled());
  expect(report.mock.calls[0]).toEqual([
    'CHANNEL_ERROR',
    expect.objectContaining({ code: 'CONNECTION_LOST', message: expect.any(String) }),
  ]);
  await client.removeAllChannels();
  expect(report).toHaveBeenLastCalledWith('CLOSED', undefined);
});
