import { expect, test } from 'vitest';
import pg from 'pg';

import { LastingClient } from './lasting-client.js';

const lost = new Error('Connection terminated unexpectedly');

test('an error that nobody listens for ends no process', () => {
  expect(() => new pg.Client().emit('error', lost)).toThrow('Connection terminated');
  expect(new LastingClient().emit('error', lost)).toBe(true);
});

test('nor does one after all listeners were taken off, which BullMQ does before it closes', () => {
  const client = new LastingClient();
  client.removeAllListeners();
  expect(client.emit('error', lost)).toBe(true);
  client.removeAllListeners('error');
  expect(client.emit('error', lost)).toBe(true);
});

test('the listeners of others hear it as before', () => {
  const client = new LastingClient();
  const heard: Error[] = [];
  client.on('error', (error) => heard.push(error));
  client.emit('error', lost);
  expect(heard).toEqual([lost]);
});
