import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { jwtOf } from '../../database/accounts.js';
import { verifyJwt } from './jwt.js';

function signed(payload: string, secret = 'secret'): string {
  const body = `e30.${Buffer.from(payload).toString('base64url')}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

test('a token of the run is accepted with its subject', () => {
  expect(verifyJwt(jwtOf(7, 'secret'), 'secret')?.sub).toBe('bench_user_7');
});

test.each([
  { name: 'another secret', token: signed('{"sub":"a","exp":9999999999}', 'other') },
  { name: 'expired', token: signed('{"sub":"a","exp":1}') },
  { name: 'no expiry', token: signed('{"sub":"a"}') },
  { name: 'not JSON', token: signed('hello') },
  { name: 'no token', token: 'hello' },
  { name: 'a fourth part', token: `${signed('{"sub":"a","exp":9999999999}')}.x` },
])('$name is refused', ({ token }) => {
  expect(verifyJwt(token, 'secret')).toBeUndefined();
});
