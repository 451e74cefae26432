import { expect, test, vi } from 'vitest';

import type { RecentRequest } from './recent.js';

// The command names the origin of the page.
vi.stubGlobal('document', { baseURI: 'https://console.example.org/' });
vi.stubGlobal('window', { location: { origin: 'https://console.example.org' } });
const { commandOf } = await import('./request-curl.js');

const place = { ref: 'shop', url: 'https://shop.example.org' };
const request: RecentRequest = {
  at: '2030-01-01T00:00:00.000Z',
  requestId: 'a',
  method: 'GET',
  route: '/rest/v1/:table',
  status: 200,
  code: null,
  ms: 1,
  databaseMs: null,
  credential: 'none',
  userId: null,
};

test.each([
  {
    name: 'a visitor',
    fields: {},
    lines: [`curl -s 'https://shop.example.org/rest/v1/:table'`, `-H "apikey: $PUBLISHABLE_KEY"`],
  },
  {
    name: 'a user who writes',
    fields: { method: 'POST', credential: 'session' },
    lines: [
      `curl -s -X POST 'https://shop.example.org/rest/v1/:table'`,
      '-H "authorization: Bearer $TOKEN"',
      `-H 'content-type: application/json'`,
      `-d '{}'`,
    ],
  },
  {
    name: 'the secret key as a visitor, for the head alone',
    fields: { method: 'HEAD', credential: 'impersonated-anon' },
    lines: [
      `curl -s -I 'https://shop.example.org/rest/v1/:table'`,
      '-H "apikey: $SECRET_KEY"',
      '-H "x-service-impersonate: anon"',
    ],
  },
  {
    name: 'an operator, through the console',
    fields: { method: 'DELETE', credential: 'operator', route: '/api/rest/v1/:table' },
    lines: [
      `curl -s -X DELETE 'https://console.example.org/platform/projects/shop/api/rest/v1/:table'`,
      '-H "authorization: Bearer $OPERATOR"',
    ],
  },
] as const)('the command of $name', ({ fields, lines }) => {
  expect(commandOf({ ...request, ...fields }, place)?.split(' \\\n  ')).toEqual(lines);
});

test('a path that is not kept has no command', () => {
  expect(commandOf({ ...request, route: null }, place)).toBeUndefined();
});
