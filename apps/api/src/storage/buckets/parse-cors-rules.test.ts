import { describe, expect, test } from 'vitest';

import { parseCorsRules } from './parse-cors-rules.js';

const least = { origins: ['*'], methods: ['GET'] };

test('rules are normalized, and what is left out has a default', () => {
  const rules = parseCorsRules([
    { ...least, methods: ['get', 'GET', 'Post'] },
    { ...least, allowedHeaders: ['X-A', 'x-a'], exposedHeaders: ['ETag'], maxAgeSeconds: 0 },
  ]);
  expect(rules).toEqual([
    {
      origins: ['*'],
      methods: ['GET', 'POST'],
      allowedHeaders: [],
      exposedHeaders: [],
      maxAgeSeconds: 600,
    },
    { ...least, allowedHeaders: ['x-a'], exposedHeaders: ['etag'], maxAgeSeconds: 0 },
  ]);
  expect(parseCorsRules([])).toEqual([]);
});

test.each([
  'https://app.example.org',
  'http://localhost:3000',
  'http://localhost:*',
  'http://[::1]:3000',
  'https://*.example.org',
  'https://*.example.org:8443',
  'https://xn--bcher-kva.example',
])('%s is an origin', (origin) => {
  expect(parseCorsRules([{ ...least, origins: [origin] }])[0]?.origins).toEqual([origin]);
});

test.each([
  '',
  'null',
  'example.org',
  'https://app.example.org/',
  'https://app.example.org/page',
  'https://APP.example.org',
  'https://app.example.org:443',
  'https://user@app.example.org',
  'https://*',
  'https://*example.org',
  'https://a.*.example.org',
  'https://*.*.example.org',
  'https://*.example.org:*8',
  '**',
  'ftp://example.org',
  'myapp://callback',
  'javascript:alert(1)',
  ' https://app.example.org',
  `https://${'a.'.repeat(200)}org`,
])('%j is no origin', (origin) => {
  expect(() => parseCorsRules([{ ...least, origins: [origin] }])).toThrow(
    /^cors\[0\]\.origins\[0\]: write an origin/,
  );
});

describe('what is wrong is named:', () => {
  test.each([
    { value: null, message: 'cors: must be a list of rules' },
    { value: {}, message: 'cors: must be a list of rules' },
    { value: Array(51).fill(least), message: 'cors: must not have more than 50 rules' },
    { value: ['*'], message: 'cors[0]: must be an object' },
    { value: [least, []], message: 'cors[1]: must be an object' },
    { value: [{ ...least, credentials: true }], message: 'Unknown field: cors[0].credentials' },
    { value: [{ methods: ['GET'] }], message: 'cors[0].origins is required' },
    { value: [{ origins: ['*'] }], message: 'cors[0].methods is required' },
    { value: [{ ...least, origins: [] }], message: 'cors[0].origins: must not be empty' },
    { value: [{ ...least, origins: '*' }], message: 'cors[0].origins: must be a list' },
    { value: [{ ...least, origins: [1] }], message: 'cors[0].origins[0]: must be a text' },
    {
      value: [{ ...least, methods: ['GET', 'TRACE'] }],
      message: 'cors[0].methods[1]: must be one',
    },
    { value: [{ ...least, methods: ['*'] }], message: 'cors[0].methods[0]: must be one of' },
    {
      value: [{ ...least, allowedHeaders: ['a b'] }],
      message: 'cors[0].allowedHeaders[0]: must be the name of a header',
    },
    {
      value: [{ ...least, exposedHeaders: ['etag\r\nset-cookie: a=b'] }],
      message: 'cors[0].exposedHeaders[0]: must be the name of a header',
    },
    {
      value: [{ ...least, allowedHeaders: Array(101).fill('x-a') }],
      message: 'cors[0].allowedHeaders: must not have more than 100 entries',
    },
    { value: [{ ...least, maxAgeSeconds: -1 }], message: 'cors[0].maxAgeSeconds: must be a whole' },
    {
      value: [{ ...least, maxAgeSeconds: 1.5 }],
      message: 'cors[0].maxAgeSeconds: must be a whole',
    },
    { value: [{ ...least, maxAgeSeconds: 86_401 }], message: 'cors[0].maxAgeSeconds: must be' },
    { value: [{ ...least, maxAgeSeconds: '60' }], message: 'cors[0].maxAgeSeconds: must be' },
  ])('$message', ({ value, message }) => {
    expect(() => parseCorsRules(value)).toThrow(message);
  });
});
