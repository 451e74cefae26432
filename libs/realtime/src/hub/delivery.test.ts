// Clients that read slowly: what is left out for them, and when they are disconnected.
import { expect, test } from 'vitest';

import { Delivery } from './delivery.js';
import { Frame } from './frame.js';
import { Member } from './member.js';
import { unknownRights } from './rights.js';

const mebibyte = 1024 * 1024;
const message = Frame.of('rt:msg', { t: 'room', event: 'e' });
const changes = Frame.of('rt:pg', { t: 'room', e: [] });

function openDelivery() {
  let now = 1_000;
  const received: string[] = [];
  const ends: string[] = [];
  const socket = {
    id: 's',
    bufferedBytes: 0,
    send: ({ event }: Frame) => void received.push(event),
    close: ({ code }: { readonly code: string }) => void ends.push(code),
  };
  const delivery = new Delivery(() => now);
  const member = new Member(socket, { kind: 'none' }, unknownRights);
  return { delivery, member, socket, received, ends, pass: (ms: number) => void (now += ms) };
}

test('while more than 1 MB waits, messages are left out and counted, and changes are not', () => {
  const { delivery, member, socket, received } = openDelivery();
  socket.bufferedBytes = mebibyte;
  expect(delivery.offer(member, message)).toBe(true);
  socket.bufferedBytes = mebibyte + 1;
  expect(delivery.offer(member, message)).toBe(false);
  delivery.send(member, changes);
  expect(received).toEqual(['rt:msg', 'rt:pg']);
  expect(delivery).toMatchObject({ sent: 2, dropped: 1 });
});

test('a client with more than 1 MB for five seconds is disconnected with SLOW_CONSUMER', () => {
  const { delivery, member, socket, received, ends, pass } = openDelivery();
  socket.bufferedBytes = mebibyte + 1;
  expect(delivery.hasRoom(member)).toBe(false);
  pass(4_999);
  delivery.send(member, changes);
  expect(ends).toEqual([]);
  pass(1);
  delivery.send(member, changes);
  expect(ends).toEqual(['SLOW_CONSUMER']);
  expect(received).toEqual(['rt:pg']);
});

test('the five seconds begin again when a client has read', () => {
  const { delivery, member, socket, ends, pass } = openDelivery();
  for (const bufferedBytes of [mebibyte + 1, mebibyte, mebibyte + 1]) {
    socket.bufferedBytes = bufferedBytes;
    delivery.offer(member, message);
    pass(4_000);
  }
  delivery.offer(member, message);
  expect(ends).toEqual([]);
  expect(delivery).toMatchObject({ sent: 1, dropped: 3 });
});

test('a client with more than 4 MB is disconnected at once, and receives nothing more', () => {
  const { delivery, member, socket, received, ends } = openDelivery();
  socket.bufferedBytes = 4 * mebibyte;
  delivery.send(member, changes);
  expect(ends).toEqual([]);
  socket.bufferedBytes += 1;
  delivery.send(member, changes);
  delivery.send(member, changes);
  expect(ends).toEqual(['SLOW_CONSUMER']);
  expect(received).toEqual(['rt:pg']);
});

test('changes that wait for a client to read are not sent, and a client that is gone needs none', () => {
  const { delivery, member, socket, received } = openDelivery();
  expect(delivery.sendIfRead(member, changes)).toBe(true);
  socket.bufferedBytes = mebibyte + 1;
  expect(delivery.sendIfRead(member, changes)).toBe(false);
  socket.bufferedBytes = 0;
  expect(delivery.sendIfRead(member, changes)).toBe(true);
  member.isGone = true;
  expect(delivery.sendIfRead(member, changes)).toBe(true);
  expect(received).toEqual(['rt:pg', 'rt:pg']);
});
