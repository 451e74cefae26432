import { describe, expect, test } from 'vitest';

import {
  captchaRouteProblem,
  type CaptchaEndpoint,
  type CaptchaLists,
  compileCaptchaRules,
} from './captcha-rules.js';

const none: CaptchaLists = { captchaAuthEndpoints: [], captchaRoutes: [] };
const routes = (...captchaRoutes: string[]) => compileCaptchaRules({ ...none, captchaRoutes });
const endpoints = (...captchaAuthEndpoints: CaptchaEndpoint[]) =>
  compileCaptchaRules({ ...none, captchaAuthEndpoints });

const all: readonly CaptchaEndpoint[] = [
  'sign-up',
  'sign-in-password',
  'sign-in-anonymous',
  'magic-link',
  'email-code',
  'sms-code',
  'recovery-email',
  'recovery-phone',
];

describe('auth requests', () => {
  test.each(all)('%s guards the routes of that class', (endpoint) => {
    const guards = endpoints(endpoint);
    expect(guards('POST', '/any', endpoint)).toBe(true);
    expect(guards('OPTIONS', '/any', endpoint)).toBe(false);
    expect(guards('POST', '/any')).toBe(false);
    for (const other of all.filter((each) => each !== endpoint)) {
      expect(guards('POST', '/any', other)).toBe(false);
    }
  });
});

test('a route of the class never is guarded by nothing', () => {
  const guards = compileCaptchaRules({ captchaAuthEndpoints: all, captchaRoutes: ['*'] });
  expect(guards('PUT', '/api/admin/settings/auth.attackProtection', 'never')).toBe(false);
  expect(guards('PUT', '/api/admin/settings/auth.attackProtection')).toBe(true);
});

test('without lists nothing is guarded', () => {
  expect(compileCaptchaRules(none)('POST', '/api/auth/sign-up/email')).toBe(false);
});

const covered = [
  {
    name: 'method and path',
    rule: 'POST /rest/v1/orders',
    method: 'POST',
    path: '/rest/v1/orders',
  },
  {
    name: 'a path of every method',
    rule: '/rest/v1/orders',
    method: 'DELETE',
    path: '/rest/v1/orders',
  },
  { name: 'a method in small letters', rule: 'post /a', method: 'POST', path: '/a' },
  { name: 'HEAD under a rule for GET', rule: 'GET /a', method: 'HEAD', path: '/a' },
  { name: 'GET under a rule for HEAD', rule: 'HEAD /a', method: 'GET', path: '/a' },
  { name: 'a path with a query', rule: '/a', method: 'GET', path: '/a?x=/b' },
  {
    name: 'a star over several segments',
    rule: '/api/edge/*',
    method: 'POST',
    path: '/api/edge/a/b',
  },
  { name: 'a star for nothing', rule: '/a*b', method: 'GET', path: '/ab' },
  {
    name: 'a last star after a slash, without that slash',
    rule: '/files/*',
    method: 'GET',
    path: '/files',
  },
  { name: 'several stars', rule: '/a/*/b/*/c', method: 'GET', path: '/a/1/b/2/3/c' },
  { name: 'stars that must give text back', rule: '/*ab*ab', method: 'GET', path: '/xababab' },
  { name: 'a star alone', rule: '*', method: 'GET', path: '/anything' },
  { name: 'a rule with an escape', rule: '/my%20table', method: 'GET', path: '/my%20table' },
  { name: 'a rule with a last slash', rule: '/a/', method: 'GET', path: '/a' },
];
test.each(covered)('$name is guarded', ({ rule, method, path }) => {
  expect(captchaRouteProblem(rule)).toBeUndefined();
  expect(routes(rule)(method, path)).toBe(true);
});

const open = [
  { name: 'another method', rule: 'POST /a', method: 'GET', path: '/a' },
  { name: 'a longer path', rule: '/a', method: 'GET', path: '/a/b' },
  { name: 'a path that only begins alike', rule: '/a', method: 'GET', path: '/ab' },
  { name: 'a path that shares the text between stars', rule: '/ab*b', method: 'GET', path: '/ab' },
  {
    name: 'other letters: they name another table',
    rule: '/a/Orders',
    method: 'GET',
    path: '/a/orders',
  },
  { name: 'a preflight', rule: '*', method: 'OPTIONS', path: '/a' },
  { name: 'an escaped star is no wildcard', rule: '/a%2A', method: 'GET', path: '/abc' },
];
test.each(open)('$name is open', ({ rule, method, path }) => {
  expect(routes(rule)(method, path)).toBe(false);
});

// Each line is a spelling of a guarded path that the router, the auth engine or a proxy in front may take for it.
const spellings = [
  { name: 'a slash twice', path: '/api//auth/sign-up/email' },
  { name: 'slashes in front', path: '//api/auth/sign-up/email' },
  { name: 'a slash at the end', path: '/api/auth/sign-up/email/' },
  { name: 'many slashes at the end', path: '/api/auth/sign-up/email///' },
  { name: 'a dot segment', path: '/api/auth/./sign-up/email' },
  { name: 'a segment and back', path: '/api/auth/x/../sign-up/email' },
  { name: 'escaped dots', path: '/api/auth/x/%2e%2E/sign-up/email' },
  { name: 'an escaped letter', path: '/api/auth/%73ign-up/email' },
  { name: 'an escaped slash', path: '/api/auth/sign-up%2Femail' },
  { name: 'an escaped slash in small letters', path: '/api/auth/sign-up%2femail' },
  { name: 'an escaped slash between dots', path: '/api/auth/x%2f..%2fsign-up/email' },
  { name: 'a backslash', path: '/api/auth\\sign-up\\email' },
  { name: 'a tab', path: '/api/auth/sign-\tup/email' },
  { name: 'a query', path: '/api/auth/sign-up/email?a' },
  { name: 'a fragment', path: '/api/auth/sign-up/email#a' },
  { name: 'an escape that is none beside', path: '/%zz/..//api/auth/sign-up/email' },
];
test.each(spellings)('$name does not lead around the guard', ({ path }) => {
  expect(routes('POST /api/auth/sign-up/*')('POST', path)).toBe(true);
});

test('a path that was sent with dots is guarded as it stands, too', () => {
  const guards = routes('/api/edge/*');
  expect(guards('POST', '/api/edge/pay/../../x')).toBe(true);
  expect(guards('POST', '/api/edge/%2e%2e/x')).toBe(true);
});

// Many routes answer below `/api` and beside it: a rule for one of the two paths that guards only that one guards none.
describe.each([
  { rule: 'POST /rest/v1/orders', paths: ['/rest/v1/orders', '/api/rest/v1/orders'] },
  { rule: 'POST /api/rest/v1/orders', paths: ['/rest/v1/orders', '/api/rest/v1/orders'] },
  {
    rule: '/rest/v1/rpc/*',
    paths: ['/rest/v1/rpc/x', '/api/rest/v1/rpc/x', '/x/..//api/rest/v1/rpc/x'],
  },
  {
    rule: '/api/admin/sql',
    paths: ['/admin/sql', '/api/admin/sql', '/%61dmin/sql', '/./admin/sql'],
  },
  { rule: '/admin/*', paths: ['/admin/sql', '/api/admin/sql', '/api%2Fadmin/sql'] },
  { rule: '/api/*', paths: ['/rest/v1/orders', '/api/rest/v1/orders'] },
  { rule: '/api/auth/*', paths: ['/auth/two-factor/verify-totp', '/auth/login'] },
  { rule: 'POST /rest/v1/orders', paths: ['/rest/v1/batch', '/api/rest/v1/batch'] },
  { rule: 'POST /api/rest/v1/orders', paths: ['/rest/v1/batch', '/api/rest/v1/batch'] },
])('$rule guards', ({ rule, paths }) => {
  test.each(paths)('%s', (path) => expect(routes(rule)('POST', path)).toBe(true));
});

describe('a batch', () => {
  test.each(['/studio', '/studio/assets/a.js', '/storage/v1/x', '/'])(
    'a rule for /api/* leaves %s alone',
    (path) => expect(routes('/api/*')('GET', path)).toBe(false),
  );

  test.each(['POST /rest/v1/orders', '/rest/v1/*', 'DELETE /rest/v1/o*', '/rest/*', 'PATCH *'])(
    'is guarded with %s, because it may write there',
    (rule) => expect(routes(rule)('POST', '/rest/v1/batch')).toBe(true),
  );
  test.each(['GET /rest/v1/orders', 'GET *', '/rest', '/api/edge/*'])('is open with %s', (rule) =>
    expect(routes(rule)('POST', '/rest/v1/batch')).toBe(false),
  );
});

test.each([
  '',
  'orders',
  'OPTIONS /a',
  'FETCH /a',
  'POST',
  'POST /a b',
  '/a?b',
  '/a#b',
  '/a\\b',
  ' /a',
])('%j is no route to guard', (text) => {
  expect(captchaRouteProblem(text)).toMatch(/^must be/);
  expect(routes(text)('GET', '/a')).toBe(false);
});

// A comparison that takes the square of the length would need minutes, and end the test by its time limit.
test('a hostile path is compared in time that grows with its length alone', () => {
  const guards = routes(`/${'a*'.repeat(100)}b`);
  expect(guards('GET', `/${'a'.repeat(1_000_000)}`)).toBe(false);
  expect(guards('GET', `/${'%61/'.repeat(250_000)}`)).toBe(false);
  expect(guards('GET', '/'.repeat(1_000_000))).toBe(false);
  expect(guards('GET', `${'/'.repeat(1_000_000)}a`)).toBe(false);
  expect(guards('GET', `/${'../'.repeat(300_000)}`)).toBe(false);
});
