import { afterEach, describe, expect, test, vi } from 'vitest';

import { curlOf } from './curl.js';
import { actAsAdministrator, isStudio, projectBase, projectPath, servedPath } from './place.js';

const origin = 'http://shop.test';
function openAt(base: string): void {
  vi.stubGlobal('document', { baseURI: origin + base });
  vi.stubGlobal('window', { location: { origin } });
}
afterEach(() => vi.unstubAllGlobals());

function headersFor(path: string, given: Readonly<Record<string, string>> = {}): object {
  const headers = new Headers(given);
  actAsAdministrator(headers, path);
  return Object.fromEntries(headers);
}

describe('in the console', () => {
  test('paths and headers stay as they are', () => {
    openAt('/');
    expect(isStudio()).toBe(false);
    expect(projectBase('a b')).toBe('/platform/projects/a%20b');
    expect(projectPath('a b', '/keys')).toBe('/platform/projects/a%20b/keys');
    expect(servedPath('/platform/projects/shop/api/admin/users')).toBe(
      '/platform/projects/shop/api/admin/users',
    );
    const asUser = { 'x-service-impersonate': 'anon' };
    expect(headersFor('/api/rest/v1/notes', asUser)).toEqual(asUser);
  });
});

describe('in the studio', () => {
  test.each([
    { path: '/platform/projects/shop/api/admin/users?page=2', served: '/api/admin/users?page=2' },
    { path: '/platform/projects/shop/api/rest/v1/notes', served: '/api/rest/v1/notes' },
    { path: '/platform/projects/shop', served: '/platform/projects/shop' },
    { path: '/auth/login', served: '/auth/login' },
    {
      path: '/api/rest/v1/notes?path=eq./platform/projects/x/api/',
      served: '/api/rest/v1/notes?path=eq./platform/projects/x/api/',
    },
  ])('$path is $served', ({ path, served }) => {
    openAt('/studio/');
    expect(projectBase('shop')).toBe('');
    expect(servedPath(path)).toBe(served);
  });

  test.each([
    { path: '/api/rest/v1/notes', given: {}, headers: { 'x-act-as': 'service_role' } },
    { path: '/api/files/list/docs', given: {}, headers: { 'x-act-as': 'service_role' } },
    {
      path: '/api/rest/v1/notes',
      given: { 'x-service-impersonate': 'u1' },
      headers: { 'x-act-as': 'u1' },
    },
    { path: '/api/admin/users', given: {}, headers: {} },
    { path: '/api/auth/sign-out', given: {}, headers: {} },
    { path: '/auth/login', given: {}, headers: {} },
  ])('$path with $given has the headers $headers', ({ path, given, headers }) => {
    openAt('/studio/');
    expect(headersFor(path, given)).toEqual(headers);
  });

  test('commands are requests to the host of the project', () => {
    openAt('/studio/');
    const path = '/platform/projects/studio/api/rest/v1/notes?limit=1';
    expect(curlOf({ path, viewer: `o'neil` })).toBe(
      [
        `curl -s '${origin}/api/rest/v1/notes?limit=1'`,
        `-H "authorization: Bearer $ADMIN"`,
        `-H 'x-act-as: o'\\''neil'`,
      ].join(' \\\n  '),
    );
  });
});
