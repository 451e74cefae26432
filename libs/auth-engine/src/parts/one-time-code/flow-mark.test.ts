import { expect, test } from 'vitest';
import { endOfFlow, isChallenge, markUrl, readMark, withParameter } from './flow-mark.js';

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const ours = { kind: 'rowhouse_code', challenge } as const;

const keeping = (rest: string) =>
  `rowhouse-flow=code..${Buffer.from(rest).toString('base64url')}.end`;

test.each([
  { name: 'a path', url: '/done' },
  { name: 'the root', url: '/' },
  { name: 'an address', url: 'https://app.example.com' },
  { name: 'an address with a query', url: 'https://app.example.com/x?a=1&b=2' },
  { name: 'an address with a fragment', url: 'https://app.example.com/x?a=1#/y?z' },
  { name: 'a scheme of an app', url: 'myapp://callback' },
  { name: 'repeated parameters', url: '/x?b=1&a=2&b=3&&c#d#e' },
  { name: 'parameters like those of a result', url: '/x?code=SPRING26&error=none&state=s' },
])('$name is the same after it was marked', ({ url }) => {
  for (const mark of [
    ours,
    { ...ours, challenge: undefined },
    { ...ours, kind: 'code' as const },
  ]) {
    expect(markUrl(url, mark)).toMatch(/[a-z]$/);
    expect(readMark(markUrl(url, mark))).toEqual({ url, mark, errors: [] });
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
  { name: 'one that goes on with the host', url: `https://a.example?${keeping('.evil.example')}` },
  { name: 'one that breaks a header', url: `/x?${keeping('?a\r\nset-cookie: b=c')}` },
])('$name is no mark', ({ url }) => {
  expect(readMark(url)).toBeUndefined();
});

/** How the engine puts an error into an address. */
const addError: Readonly<Record<string, (marked: string) => string>> = {
  'adds to it': (marked) => withParameter(marked, 'error', 'NO'),
  'sets it in the address': (marked) => {
    const url = new URL(marked);
    url.searchParams.set('error', 'NO');
    return url.href;
  },
};

test.each(Object.entries(addError))(
  'an error ends up in a parameter of ours, beside those of the application: the engine %s',
  (_name, add) => {
    const bare = 'https://app.example.com/x?error=none&a=1%20b&error=#top';
    const found = readMark(add(markUrl(bare, ours)));
    expect(found && endOfFlow(found)).toBe(bare.replace('#top', '&rowhouse_error=NO#top'));
    expect(found && endOfFlow(found, 'c')).toBe(bare.replace('#top', '&rowhouse_code=c#top'));
  },
);

test('a client of an earlier release gets the names that it knows', () => {
  const found = readMark(
    withParameter(markUrl('/x?a=1', { ...ours, kind: 'code' }), 'error', 'NO'),
  );
  expect(found && endOfFlow(found)).toBe('/x?a=1&error=NO');
  expect(found && endOfFlow(found, 'c')).toBe('/x?a=1&code=c');
  // A link that it was mailed before the upgrade.
  const mailed = readMark(`/x?a=1&rowhouse-flow=code.${challenge}`);
  expect(mailed && endOfFlow(mailed, 'c')).toBe('/x?a=1&code=c');
});

test('a result takes the place of that of an earlier flow', () => {
  const found = readMark(markUrl('/x?rowhouse_error=NO&a=1&rowhouse_code=old', ours));
  expect(found && endOfFlow(found, 'new')).toBe('/x?a=1&rowhouse_code=new');
  expect(found && endOfFlow(found)).toBe('/x?a=1');
});

test('an address is marked once, and with characters that a header can hold', () => {
  const once = markUrl('/x?a=ł', ours);
  expect(readMark(markUrl(once, ours))?.url).toBe('/x?a=%C5%82');
});

test('a challenge is the base64url of 32 bytes', () => {
  expect(
    [challenge, `${challenge}a`, challenge.slice(1), `${challenge.slice(1)}+`].map(isChallenge),
  ).toEqual([true, false, false, false]);
});

test('a parameter is put before the fragment, and escaped', () => {
  expect(withParameter('/x?a=1#b', 'code', 'ä&b')).toBe('/x?a=1&code=%C3%A4%26b#b');
});
