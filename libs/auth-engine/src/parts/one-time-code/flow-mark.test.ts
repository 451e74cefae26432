import { expect, test } from 'vitest';
import { isChallenge, markUrl, readMark, withParameter } from './flow-mark.js';

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test.each([
  { name: 'a path', url: '/done' },
  { name: 'the root', url: '/' },
  { name: 'an address', url: 'https://app.example.com' },
  { name: 'an address with a query', url: 'https://app.example.com/x?a=1&b=2' },
  { name: 'an address with a fragment', url: 'https://app.example.com/x?a=1#/y?z' },
  { name: 'a scheme of an app', url: 'myapp://callback' },
])('$name is the same after it was marked', ({ url }) => {
  for (const mark of [{ challenge }, { challenge: undefined }]) {
    expect(readMark(markUrl(url, mark))).toEqual({ url, mark });
  }
});

test.each([
  {
    name: 'behind a parameter that was added',
    url: '/x?rowhouse-flow=code&error=no',
    bare: '/x?error=no',
  },
  { name: 'between others', url: '/x?a=1&rowhouse-flow=code&b=2#c', bare: '/x?a=1&b=2#c' },
  { name: 'more than once', url: '/x?rowhouse-flow=code&rowhouse-flow=code', bare: '/x' },
])('a mark $name is taken off', ({ url, bare }) => {
  expect(readMark(url)?.url).toBe(bare);
});

test.each([
  { name: 'another value', url: '/x?rowhouse-flow=token' },
  { name: 'a challenge that is none', url: '/x?rowhouse-flow=code.short' },
  { name: 'another parameter', url: '/x?no-rowhouse-flow=code' },
  { name: 'a fragment', url: '/x#rowhouse-flow=code' },
])('$name is no mark', ({ url }) => {
  expect(readMark(url)).toBeUndefined();
});

test('a challenge is the base64url of 32 bytes', () => {
  expect(
    [challenge, `${challenge}a`, challenge.slice(1), `${challenge.slice(1)}+`].map(isChallenge),
  ).toEqual([true, false, false, false]);
});

test('a parameter is put before the fragment, and escaped', () => {
  expect(withParameter('/x?a=1#b', 'code', 'ä&b')).toBe('/x?a=1&code=%C3%A4%26b#b');
});
