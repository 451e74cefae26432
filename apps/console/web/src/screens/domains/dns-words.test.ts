import { describe, expect, test } from 'vitest';

import { addressVerdict, foundAddress, txtVerdict, wantedAddress } from './dns-words.js';
import type { AddressCheck, TxtCheck } from './queries.js';

const address = (change: Partial<AddressCheck> = {}): AddressCheck => ({
  name: 'api.example.org',
  expected: { alias: 'shop.rows.test', addresses: ['203.0.113.7', '2001:db8::7'] },
  found: { alias: null, addresses: [], hiddenAddresses: 0 },
  state: 'missing',
  ...change,
});
const txt = (state: TxtCheck['state']): TxtCheck => ({
  name: '_rowhouse-challenge.api.example.org',
  expected: 'v',
  found: [],
  state,
});

test('a domain may have a CNAME record or the addresses of the project', () => {
  expect(wantedAddress(address())).toEqual([
    'CNAME shop.rows.test',
    'A 203.0.113.7',
    'AAAA 2001:db8::7',
  ]);
});

test('the host name of the project needs the address of the proxy', () => {
  const own = address({ expected: { alias: null, addresses: [] } });
  expect(wantedAddress(own)).toEqual(['an A or AAAA record with the address of the proxy']);
});

test('private addresses are counted', () => {
  const found = { alias: 'x.example.net', addresses: ['203.0.113.9'], hiddenAddresses: 1 };
  expect(foundAddress(address({ found }))).toEqual([
    'CNAME x.example.net',
    'A 203.0.113.9',
    'a private address',
  ]);
  expect(foundAddress(address({ found: { ...found, hiddenAddresses: 2 } })).at(-1)).toBe(
    '2 private addresses',
  );
});

describe('the address', () => {
  test.each([
    { state: 'right', kind: 'good' },
    { state: 'local', kind: 'good' },
    { state: 'other', kind: 'warning' },
    { state: 'unknown', kind: 'warning' },
    { state: 'no-answer', kind: 'warning' },
    { state: 'missing', kind: 'problem' },
  ] as const)('$state is $kind', ({ state, kind }) => {
    expect(addressVerdict(address({ state })).kind).toBe(kind);
  });
});

describe('the TXT record', () => {
  test.each([
    { state: 'right', isVerified: false, kind: 'good' },
    { state: 'missing', isVerified: false, kind: 'open' },
    { state: 'missing', isVerified: true, kind: 'warning' },
    { state: 'other', isVerified: false, kind: 'problem' },
    { state: 'other', isVerified: true, kind: 'warning' },
    { state: 'no-answer', isVerified: false, kind: 'warning' },
  ] as const)('$state, verified $isVerified: $kind', ({ state, isVerified, kind }) => {
    const verdict = txtVerdict(txt(state), isVerified);
    expect(verdict.kind).toBe(kind);
    const warnsOfLoss = verdict.sentence.includes('takes it over');
    expect(warnsOfLoss).toBe(isVerified && (state === 'missing' || state === 'other'));
  });
});
