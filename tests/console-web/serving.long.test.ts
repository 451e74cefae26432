// How the console serves its pages: one document for each page, the files that it names, and nothing besides.
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ConsoleFiles } from '#libs/web';

import { startConsole, type TestConsole } from '../console/console-under-test.js';
import { builtPages } from './world.js';

const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' blob:`,
  `media-src blob:`,
  `frame-src blob:`,
  `connect-src 'self'`,
  `font-src 'self'`,
  `base-uri 'self'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

let pages: ConsoleFiles;
let site: TestConsole;
beforeAll(async () => {
  pages = await builtPages();
  site = await startConsole({ pages });
}, 120_000);
afterAll(() => site[Symbol.asyncDispose]());

const script = (): string =>
  [...pages.assets.keys()].find((name) => /^index-.*\.js$/.test(name)) ?? '';

/** As a browser asks for a page, or for what a page loads. */
const navigate = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' };
const load = { 'sec-fetch-mode': 'cors', accept: '*/*' };

describe('the document', () => {
  test.each([
    '/',
    '/sign-in',
    '/invitation',
    '/projects',
    '/projects/shop',
    '/account',
    '/projects?q=shop',
  ])('%s has it with a policy that permits this server alone', async (path) => {
    const { status, headers, text } = await site.call('GET', path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).toContain('<base href="/" />');
  });

  test('has no code, no style and no address of another host in it', async () => {
    const { text } = await site.call('GET', '/');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/);
    expect(text).not.toMatch(/(?:https?:)?\/\//);
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => address !== '/')).toSatisfy((named: string[]) =>
      named.every((address) => address.startsWith('./assets/')),
    );
  });

  test('names files that are there', async () => {
    const { text } = await site.call('GET', '/');
    const names = [...text.matchAll(/\.\/assets\/([^"]+)"/g)].map(([, name]) => String(name));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      expect(await site.call('GET', `/assets/${name}`)).toMatchObject({ status: 200 });
    }
  });

  test('is compressed for those who take it', async () => {
    const { headers } = await site.call('GET', '/', { headers: { 'accept-encoding': 'gzip' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers['vary']).toBe('accept-encoding');
  });
});

describe('files', () => {
  test('are kept for good, and have their type', async () => {
    const { status, headers } = await site.call('GET', `/assets/${script()}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
    });
  });

  test.each([
    { accepted: 'gzip, deflate, br, zstd', sent: 'br' },
    { accepted: 'gzip, deflate', sent: 'gzip' },
    { accepted: 'br;q=0, gzip', sent: 'gzip' },
    { accepted: 'identity', sent: undefined },
  ])('are sent as $sent to clients that accept "$accepted"', async ({ accepted, sent }) => {
    const reply = await fetch(`${site.url}/assets/${script()}`, {
      headers: { 'accept-encoding': accepted },
    });
    expect(reply.headers.get('content-encoding') ?? undefined).toBe(sent);
    const plain = pages.assets.get(script())?.plain;
    expect(Buffer.from(await reply.arrayBuffer()).equals(plain ?? Buffer.of())).toBe(true);
  });

  test('have the same content in each encoding', () => {
    for (const { plain, gzip, br } of pages.assets.values()) {
      if (gzip) expect(gunzipSync(gzip).equals(plain)).toBe(true);
      if (br) expect(brotliDecompressSync(br).equals(plain)).toBe(true);
    }
    expect(pages.assets.get(script())).toMatchObject({ gzip: {}, br: {} });
  });

  test.each([
    '/assets/nothing.js',
    '/assets/index.html',
    '/assets/%2e%2e%2fpackage.json',
    '/assets/..%2findex.html',
    '/assets/constructor',
    '/assets/__proto__',
  ])('%s is none', async (path) => {
    const { status, headers } = await site.call('GET', path, { headers: load });
    expect([400, 404]).toContain(status);
    expect(headers['content-type']).toContain('application/json');
  });
});

describe('an address that is no page', () => {
  test.each(['/nowhere', '/projects/a/b/c', '/sign-in/again'])(
    '%s is the document with status 404 for a person in a browser',
    async (path) => {
      const { status, headers, text } = await site.call('GET', path, { headers: navigate });
      expect(status).toBe(404);
      expect(headers['content-security-policy']).toBe(policy);
      expect(text).toContain('<div id="root">');
    },
  );

  test.each([
    { name: 'a program', path: '/nowhere', headers: {}, code: 'NOT_FOUND' },
    { name: 'a request of a page', path: '/nowhere', headers: load, code: 'NOT_FOUND' },
    {
      name: 'a browser at a path that takes no GET',
      path: '/platform/login',
      headers: navigate,
      code: 'METHOD_NOT_ALLOWED',
    },
    {
      name: 'a browser at a path of the API',
      path: '/platform/projects',
      headers: navigate,
      code: 'UNAUTHORIZED',
    },
  ])('answers $name with the error of the API', async ({ path, headers, code }) => {
    expect(await site.call('GET', path, { headers })).toMatchObject({ body: { code } });
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s to a page is refused', async (method) => {
    expect(await site.call(method, '/projects')).toMatchObject({
      status: 405,
      body: { code: 'METHOD_NOT_ALLOWED' },
    });
  });
});

test('without a build the start leads to the documentation, and pages are not found', async () => {
  await using bare = await startConsole();
  expect(await bare.call('GET', '/')).toMatchObject({
    status: 302,
    headers: { location: '/docs' },
  });
  expect(await bare.call('GET', '/projects')).toMatchObject({ status: 404 });
  expect(await bare.call('GET', '/assets/index.js')).toMatchObject({ status: 404 });
});
