// Which project a request reaches is decided by its Host alone, and nothing makes it reach another one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openNeighbors, type Neighbors } from './neighbors.js';
import { sendRaw } from './raw-request.js';

const path = '/rest/v1/posts?select=text';
let site: Neighbors;
let port: string;

beforeAll(async () => {
  site = await openNeighbors();
  port = new URL(site.deployment.apiOrigin).port;
});
afterAll(() => site.close());

/** `{a}` and `{b}` stand for the hosts of the projects, `{ref a}` for a ref, `{port}` for the port. */
function filled(text: string): string {
  const { a, b } = site;
  return text
    .replaceAll('{a}', a.project.host)
    .replaceAll('{b}', b.project.host)
    .replaceAll('{ref a}', a.project.ref)
    .replaceAll('{ref b}', b.project.ref)
    .replaceAll('{port}', port);
}

/** Sends request line and headers and says whose rows came back, or the status. */
async function ask(lines: readonly string[]): Promise<string> {
  const { status, text } = await sendRaw(site.deployment.apiOrigin, [
    ...lines.map(filled),
    'Connection: close',
  ]);
  const owners = ['a', 'b'].filter((name) => text.includes(`post of ${name}`));
  if (owners.length > 0) return `rows of ${owners.join(' and ')}`;
  return `${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim();
}

const notFound = '404 PROJECT_NOT_FOUND';

describe('the Host header', () => {
  test.each([
    { name: 'names the project', host: '{a}', reaches: 'rows of a' },
    { name: 'may have a port', host: '{a}:{port}', reaches: 'rows of a' },
    { name: 'may have any port', host: '{a}:1', reaches: 'rows of a' },
    { name: 'may end with a dot', host: '{a}.', reaches: 'rows of a' },
    { name: 'may end with a dot and a port', host: '{a}.:{port}', reaches: 'rows of a' },
    { name: 'must not end with two dots', host: '{a}..', reaches: notFound },
    { name: 'names nothing when unknown', host: 'unknown.localhost', reaches: notFound },
    { name: 'names nothing when empty', host: '', reaches: notFound },
    { name: 'names nothing when it is the root', host: 'localhost', reaches: notFound },
    { name: 'names nothing when it is an address', host: '127.0.0.1:{port}', reaches: notFound },
    { name: 'names nothing below a project', host: 'x.{a}', reaches: notFound },
    { name: 'names nothing below a foreign root', host: '{a}.example.com', reaches: notFound },
    { name: 'names no database', host: 'p_{ref a}.localhost', reaches: notFound },
    { name: 'names no role', host: '{ref a}_owner.localhost', reaches: notFound },
    { name: 'has no user part', host: '{a}@{b}', reaches: notFound },
    { name: 'has no user part with a password', host: 'x:{a}@{b}', reaches: notFound },
    { name: 'is no list', host: '{a}, {b}', reaches: notFound },
    { name: 'has no spaces', host: '{a} {b}', reaches: notFound },
    { name: 'has no path', host: '{a}/{b}', reaches: notFound },
    { name: 'has no query', host: '{a}?{b}', reaches: notFound },
    { name: 'has no fragment', host: '{a}#{b}', reaches: notFound },
    { name: 'has no backslash', host: '{a}\\{b}', reaches: notFound },
    { name: 'is not decoded', host: '{ref a}%2elocalhost', reaches: notFound },
    { name: 'is not a pattern', host: '*.localhost', reaches: notFound },
  ])('$name: $host', async ({ host, reaches }) => {
    expect(await ask([`GET ${path} HTTP/1.1`, `Host: ${host}`])).toBe(reaches);
  });

  test('does not care for case', async () => {
    const host = filled('{a}').toUpperCase();
    expect(await ask([`GET ${path} HTTP/1.1`, `Host: ${host}`])).toBe('rows of a');
  });

  test.each([
    { name: 'two of them', headers: ['Host: {a}', 'Host: {b}'] },
    { name: 'two of them, the other way round', headers: ['Host: {b}', 'Host: {a}'] },
    { name: 'the same twice', headers: ['Host: {a}', 'host: {a}'] },
    { name: 'none', headers: [] },
  ])('must be there once, and not: $name (RFC 9112 §3.2)', async ({ headers }) => {
    expect(await ask([`GET ${path} HTTP/1.1`, ...headers])).toMatch(/^400/);
  });

  test('without it nothing is named in HTTP/1.0 either', async () => {
    expect(await ask([`GET ${path} HTTP/1.0`])).toBe(notFound);
  });
});

describe('other headers do not name a project', () => {
  test.each([
    'X-Forwarded-Host: {b}',
    'X-Forwarded-Server: {b}',
    'X-Original-Host: {b}',
    'X-Host: {b}',
    'Forwarded: host={b};proto=http;for=127.0.0.1',
    'X-Original-URL: http://{b}/rest/v1/posts',
    'X-Rewrite-URL: http://{b}/rest/v1/posts',
    'X-Forwarded-Prefix: //{b}',
    'Origin: http://{b}',
    'Referer: http://{b}/',
    'X-Http-Method-Override: DELETE',
  ])('%s', async (header) => {
    expect(await ask([`GET ${path} HTTP/1.1`, 'Host: {a}', header])).toBe('rows of a');
    const withUnknownHost = [`GET ${path} HTTP/1.1`, 'Host: unknown.localhost', header];
    expect(await ask(withUnknownHost)).toBe(notFound);
  });
});

describe('the request target', () => {
  test.each([
    { name: 'absolute, as the Host says', target: 'http://{a}', reaches: 'rows of a' },
    { name: 'absolute, in another case', target: 'HTTP://{a}', reaches: 'rows of a' },
    { name: 'absolute, of another project', target: 'http://{b}', reaches: /^404/ },
    { name: 'absolute, of another port', target: 'http://{a}:1', reaches: /^404/ },
    { name: 'absolute, with a user part', target: 'http://{a}@{b}', reaches: /^404/ },
    { name: 'absolute, with both as user part', target: 'http://{b}@{a}', reaches: /^404/ },
    { name: 'absolute, without authority', target: 'http://', reaches: /^(400|404)/ },
    { name: 'another scheme', target: 'ftp://{b}', reaches: /^(400|404)/ },
    { name: 'two slashes', target: '/', reaches: /^400/ },
    { name: 'two slashes and a host', target: '//{b}', reaches: /^400/ },
    { name: 'a host as path', target: '/{b}', reaches: /^404/ },
    { name: 'a path that climbs', target: '/rest/v1/../..', reaches: /^400/ },
    { name: 'an encoded path that climbs', target: '/rest/v1/%2e%2e/%2e%2e', reaches: /^400/ },
  ])('$name', async ({ target, reaches }) => {
    const reached = await ask([`GET ${target}${path} HTTP/1.1`, 'Host: {a}']);
    if (typeof reaches === 'string') expect(reached).toBe(reaches);
    else expect(reached).toMatch(reaches);
  });

  test('an absolute target does not stand in for a Host', async () => {
    const reached = await ask([`GET http://{b}${path} HTTP/1.0`]);
    expect(reached).toBe(notFound);
  });
});

test('requests of one connection go to the project that each of them names', async () => {
  const { text } = await sendRaw(site.deployment.apiOrigin, [
    ...[`GET ${path} HTTP/1.1`, 'Host: {a}', ''].map(filled),
    ...[`GET ${path} HTTP/1.1`, 'Host: {b}', 'Connection: close'].map(filled),
  ]);
  expect(text.match(/post of \w/g)).toEqual(['post of a', 'post of b']);
});

test('a body that goes on is no second request to another project', async () => {
  const smuggled = filled(`GET ${path} HTTP/1.1\r\nHost: {b}\r\n\r\n`);
  const { text } = await sendRaw(site.deployment.apiOrigin, [
    ...['POST /rest/v1/posts HTTP/1.1', 'Host: {a}', 'Connection: close'].map(filled),
    'Content-Type: application/json',
    `Content-Length: ${smuggled.length}`,
    'Transfer-Encoding: chunked',
    '',
    '0',
    '',
    smuggled,
  ]);
  expect(text).toMatch(/^HTTP\/1\.1 400/);
  expect(text).not.toContain('post of b');
});
