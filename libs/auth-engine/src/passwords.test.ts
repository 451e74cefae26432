import { expect, test } from '@jest/globals';
import { hashPassword, verifyPassword } from './passwords.js';

test('a password fits its own hash and no other', async () => {
  const [first, second] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')]);
  expect(first).not.toBe(second);
  expect(await verifyPassword(first, 'pässword')).toBe(true);
  expect(await verifyPassword(first, 'password')).toBe(false);
});

test.each(['', 'plain', '$2b$10$abcdefghijklmnopqrstuv'])(
  'the hash "%s" fits no password',
  async (hash) => {
    expect(await verifyPassword(hash, hash)).toBe(false);
  },
);
