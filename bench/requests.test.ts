import { expect, test } from 'vitest';
import { buildRequests, requestText } from './requests.js';

test('a body has its length in bytes, and no body has none', () => {
  const call = { method: 'POST', path: '/p', body: '{"a":"é"}' } as const;
  expect(requestText('h', call, 't')).toBe(
    'POST /p HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t\r\n' +
      'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":"é"}',
  );
  expect(requestText('h', { method: 'GET', path: '/' })).toBe('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
});

test('headers of the call stand beside those of every request', () => {
  const call = { method: 'GET', path: '/', headers: { prefer: 'count=exact' } } as const;
  expect(requestText('h', call)).toBe('GET / HTTP/1.1\r\nHost: h\r\nprefer: count=exact\r\n\r\n');
});

test('requests with a large body are fewer', () => {
  const call = { method: 'POST', path: '/', body: 'x'.repeat(100_000) } as const;
  const requests = buildRequests({ host: 'h', keys: 1, sessions: 10, call: () => call });
  expect(requests.length).toBeGreaterThan(10);
  expect(requests.length).toBeLessThan(50);
});

test('keys and sessions rotate over their whole ranges', () => {
  const keys = new Set<number>();
  const sessions = new Set<number>();
  buildRequests({
    host: 'h',
    keys: 500,
    sessions: 20_000,
    call: (key) => {
      keys.add(key);
      return { method: 'GET', path: '/' };
    },
    bearer: (session) => {
      sessions.add(session);
      return '';
    },
  });
  expect(keys.size).toBe(500);
  expect(sessions.size).toBe(2_000);
  expect(Math.max(...sessions)).toBeGreaterThan(19_000);
  expect(Math.min(...keys)).toBe(1);
});
