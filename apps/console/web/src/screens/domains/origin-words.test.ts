import { expect, test } from 'vitest';

import { originVerdict } from './origin-words.js';
import type { OriginCheck } from './queries.js';

const check = (change: Partial<OriginCheck>): OriginCheck => ({
  origin: 'https://app.example.org',
  isExact: true,
  cookies: 'always',
  by: { origin: 'https://*.example.org', source: 'settings' },
  ...change,
});

test.each([
  { name: 'a trusted origin', change: {}, title: 'Allowed, also with cookies' },
  {
    name: 'any other origin',
    change: { cookies: 'never', by: null },
    title: 'Allowed without cookies',
  },
  {
    name: 'a domain of the project',
    change: { cookies: 'own-domain' },
    title: 'Allowed, with cookies in requests to its own domain',
  },
  {
    name: 'a text that is no address',
    change: { origin: null, cookies: 'never', by: null },
    title: 'This is not the address of a web page',
  },
] as const)('$name: $title', ({ change, title }) => {
  expect(originVerdict(check(change)).title).toBe(title);
});

test('it names the origin of a longer address', () => {
  const [first] = originVerdict(check({ isExact: false })).sentences;
  expect(first).toBe('Browsers send https://app.example.org for pages of this address.');
  expect(originVerdict(check({})).sentences).toEqual([
    'It fits https://*.example.org, from the URL configuration.',
  ]);
});
