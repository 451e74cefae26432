import { expect, test } from 'vitest';
import { canonicalPath } from './canonical-path.js';

const base = '/platform/projects/shop/api';

test.each([
  { name: 'a plain path', raw: '/admin/users', target: '/api/admin/users' },
  {
    name: 'the query stays as it is',
    raw: '/rest/v1/t?a=eq.%2E%2e&b=..',
    target: '/api/rest/v1/t?a=eq.%2E%2e&b=..',
  },
  { name: 'a slash at the end stays', raw: '/users/', target: '/api/users/' },
  {
    name: 'letters that need no encoding lose it',
    raw: '/%61dmin/users',
    target: '/api/admin/users',
  },
  {
    name: 'spaces and percent signs stay encoded',
    raw: '/files/100%25%20sure',
    target: '/api/files/100%25%20sure',
  },
  { name: 'dots inside a part', raw: '/files/a..b.txt', target: '/api/files/a..b.txt' },
  { name: 'a semicolon inside a part', raw: '/files/a;b', target: '/api/files/a%3Bb' },
])('forwarded: $name', ({ raw, target }) => {
  expect(canonicalPath(base + raw).target).toBe(target);
});

test.each([
  { name: 'an empty part', raw: '/admin//users' },
  { name: 'an empty part first', raw: '//admin/users' },
  { name: 'dots', raw: '/rest/../admin/users' },
  { name: 'a dot', raw: '/admin/./users' },
  { name: 'encoded dots', raw: '/rest/%2e%2e/admin/users' },
  { name: 'half-encoded dots', raw: '/rest/.%2E/admin/users' },
  { name: 'dots with path parameters', raw: '/rest/..;x=1/admin/users' },
  { name: 'encoded dots with path parameters', raw: '/rest/..%3b/admin/users' },
  { name: 'an encoded slash', raw: '/rest%2Fadmin/users' },
  { name: 'an encoded backslash', raw: '/rest%5cadmin' },
  { name: 'a backslash', raw: '/rest\\admin' },
  { name: 'a part encoded twice', raw: '/%2561dmin/users' },
  { name: 'dots encoded twice', raw: '/rest/%252e%252e/admin' },
  { name: 'a NUL', raw: '/admin%00/users' },
  { name: 'a line break', raw: '/admin%0d%0aX: y' },
  { name: 'a broken encoding', raw: '/admin/%zz' },
  { name: 'an overlong encoding', raw: '/admin/%c0%ae%c0%ae/x' },
  { name: 'a fragment', raw: '/rest/x#/../admin' },
])('refused: $name', ({ raw }) => {
  expect(() => canonicalPath(base + raw)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});

test('an absolute URL is refused', () => {
  expect(() => canonicalPath(`http://other.test${base}/admin`)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});
