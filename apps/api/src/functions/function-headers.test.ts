import { expect, test } from 'vitest';

import { answerHeaders, requestHeaders } from './function-headers.js';

const from = { ip: '203.0.113.1', caller: 'token' };
const added = { 'x-forwarded-for': '203.0.113.1', 'x-rowhouse-caller': 'token' };

test.each([
  { name: 'the token of a user passes', headers: { authorization: 'Bearer a.b' }, passes: true },
  {
    name: 'the secret key stays',
    headers: { authorization: 'bearer  svc_secret_x' },
    passes: false,
  },
  {
    name: 'the secret key stays, after a tab too',
    headers: { authorization: 'Bearer\tsvc_secret_x' },
    passes: false,
  },
  { name: 'a claimed address stays', headers: { 'x-forwarded-host': 'a' }, passes: false },
  { name: 'a claimed caller stays', headers: { 'x-rowhouse-anything': 'a' }, passes: false },
  { name: 'headers of the connection stay', headers: { te: 'trailers' }, passes: false },
])('$name', ({ headers, passes }) => {
  expect(requestHeaders(headers, from)).toEqual({ ...(passes && headers), ...added });
});

test('headers that the connection names stay', () => {
  expect(requestHeaders({ connection: 'X-Hop, close', 'x-hop': '1' }, from)).toEqual(added);
});

test('repeated headers of an answer are a list', () => {
  const raw = [
    'Set-Cookie',
    'a=1',
    'X-Own',
    '1',
    'set-cookie',
    'b=2',
    'Access-Control-Allow-Origin',
    '*',
  ];
  expect([...answerHeaders(raw)]).toEqual([
    ['set-cookie', ['a=1', 'b=2']],
    ['x-own', '1'],
  ]);
});

test.each([
  ['set-cookie', 'better-auth.session_token=x; Path=/'],
  ['set-cookie', '__Host-better-auth.session_token=x; Secure'],
  ['Set-Cookie', 'a=1; domain = example.org'],
  ['Service-Worker-Allowed', '/'],
  ['clear-site-data', '"*"'],
  ['x-accel-redirect', '/internal/file'],
])('an answer has no header that is about more than the function: %s: %s', (name, value) => {
  expect([...answerHeaders([name, value, 'set-cookie', 'a=1; Path=/'])]).toEqual([
    ['set-cookie', 'a=1; Path=/'],
  ]);
});
