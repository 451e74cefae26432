// Hostile names, contents and links: nothing is reached that is not meant, and nothing runs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { saveSettings } from '../isolation/neighbors.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { dataOf, makeBucket, refusalOf } from './bucket-rows.js';
import { fetchBytes, FilePlace, pathOf, type PlacedFile, localPlace } from './stored-files.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let other: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  other = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'docs', { public: true });
}, 60_000);
afterAll(() => deployment.close());

const put = (key: string, given: object = {}): Promise<PlacedFile> =>
  place.put({ bucket: 'docs', key, ownerId: ada.id, ...given });
/** The path is sent as it is: no client tidies it up. */
const asAda = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetchBytes(project, { path, headers: { authorization: `Bearer ${ada.token}`, ...headers } });

describe('keys', () => {
  const longest = 'x'.repeat(600);
  test.each([
    { name: 'parent', path: 'docs/../docs/x.txt' },
    { name: 'encoded parent', path: 'docs/%2e%2e/x.txt' },
    { name: 'encoded slash', path: 'docs/a%2f..%2f..%2fx.txt' },
    { name: 'parent at the end', path: 'docs/a/..' },
    { name: 'this folder', path: 'docs/./x.txt' },
    { name: 'backslashes', path: 'docs/..%5c..%5cx.txt' },
    { name: 'NUL', path: 'docs/x.txt%00.png' },
    { name: 'line break', path: 'docs/x%0d%0ay.txt' },
    { name: 'empty segment', path: 'docs/a//x.txt' },
    { name: 'absolute', path: 'docs/%2fetc/passwd' },
    { name: 'too long', path: `docs/${'x'.repeat(1025)}` },
    { name: 'another bucket by its slug', path: '%2e%2e/x.txt' },
    { name: 'a hidden name', path: '_anything/x.txt' },
    { name: 'capital letters', path: 'DOCS/x.txt' },
    { name: 'NUL in the slug', path: 'docs%00/x.txt' },
  ])('$name: 400', async ({ path }) => {
    for (const route of ['object', 'object-info', 'object-url']) {
      expect((await asAda(`/api/files/${route}/${path}`)).status).toBe(400);
    }
    const [slug = '', ...rest] = path.split('/');
    const address = `/api/storage/${slug}/files/${rest.join('/')}`;
    expect((await asAda(address)).status).toBe(400);
  });

  test.each([
    { name: 'overlong encoding of a dot', path: 'docs/%c0%ae%c0%ae/x.txt' },
    { name: 'half a character', path: 'docs/%e2%82' },
  ])('$name is no text: 400', async ({ path }) => {
    expect((await asAda(`/api/files/object/${path}`)).status).toBe(400);
  });

  test.each([
    {
      name: 'text that would decode to a parent',
      key: '%2e%2e/%2e%2e/literal.txt',
      path: '%252e%252e/%252e%252e/literal.txt',
    },
    { name: 'letters of any language', key: 'größe/Ä.txt', path: 'gr%C3%B6%C3%9Fe/%C3%84.txt' },
    { name: 'a letter in two parts', key: 'composed/é.txt', path: 'composed/e%CC%81.txt' },
    {
      name: 'letters that URLs use',
      key: 'a b+c;d?e#f&g=h%25.txt',
      path: 'a%20b+c;d%3Fe%23f&g=h%2525.txt',
    },
    { name: 'dots alone', key: '...', path: '...' },
    {
      name: 'the longest',
      key: `${longest}/${'y'.repeat(423)}`,
      path: `${longest}/${'y'.repeat(423)}`,
    },
  ])('$name in a key is read as it is', async ({ key, path }) => {
    const { id } = await put(key, { content: 'literal' });
    const reply = await asAda(`/api/files/object/docs/${path}`);
    expect([reply.status, reply.bytes.toString()]).toEqual([200, 'literal']);
    // The address that the API shows leads there as well.
    const shown = asRecord(dataOf(await project.as(ada, { path: `/api/files/${id}/url` })));
    expect((await asAda(pathOf(shown['url']))).bytes.toString()).toBe('literal');
  });

  test('a key in the form of a UUID is an id first, in this bucket only', async () => {
    const named = await put('by-id.txt', { content: 'by id' });
    await makeBucket(project, 'apart');
    await place.put({ bucket: 'apart', key: named.id, ownerId: ada.id, content: 'by key' });
    const read = async (bucket: string) =>
      (await asAda(`/api/files/object/${bucket}/${named.id}`)).bytes.toString();
    expect([await read('docs'), await read('apart')]).toEqual(['by id', 'by key']);
    const upper = await asAda(`/api/files/object/docs/${named.id.toUpperCase()}`);
    expect(upper.bytes.toString()).toBe('by id');
  });

  test.each([
    ['nonsense', 404],
    ['..%2f..', 400],
    ["1'or'1", 404],
    ['00000000-0000-0000-0000-000000000000', 404],
    ['list', 404],
  ])('the id %s names no file: %d', async (id, status) => {
    for (const rest of ['', '/raw', '/url']) {
      expect((await asAda(`/api/files/${id}${rest}`)).status).toBe(status);
    }
  });
});

describe('nothing that was uploaded runs on the origin of the API', () => {
  test.each([
    { mediaType: 'text/html', shown: false },
    { mediaType: 'text/html; charset=utf-7', shown: false },
    { mediaType: 'image/svg+xml', shown: false },
    { mediaType: 'application/xhtml+xml', shown: false },
    { mediaType: 'text/xml', shown: false },
    { mediaType: 'text/javascript', shown: false },
    { mediaType: 'application/json', shown: false },
    { mediaType: 'text/css', shown: false },
    { mediaType: 'application/octet-stream', shown: false },
    { mediaType: 'application/pdf', shown: false },
    { mediaType: 'text/plain', shown: true },
    { mediaType: 'image/png', shown: true },
  ])('$mediaType: shown is $shown', async ({ mediaType, shown }) => {
    const key = `hostile/${mediaType.replace(/\W/g, '-')}`;
    const content = '<html><script>alert(1)</script></html>';
    const { id } = await put(key, { mediaType, content, visibility: 'public' });
    const paths = [`/api/files/${id}/raw`, `/api/files/object/docs/${key}`];
    for (const path of [...paths, `/api/storage/docs/files/${key}`]) {
      for (const query of ['', ...(mediaType === 'application/pdf' ? [] : ['?inline'])]) {
        const { status, headers } = await asAda(path + query);
        expect(status).toBe(200);
        expect(headers['content-type']).toBe(mediaType);
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox$/);
        expect(headers['content-disposition']).toMatch(shown ? /^inline;/ : /^attachment;/);
      }
    }
  });

  test('a name with quotes stays within its header', async () => {
    const { id } = await put('a"; filename=evil.exe; x=".txt');
    const { headers } = await asAda(`/api/files/${id}/raw?download`);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="a_; filename=evil\.exe; x=_\.txt";/,
    );
  });
});

describe('expiresIn outside 1..604800 is refused, not clamped', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await put('timed.txt'));
  });

  test.each(['0', '-1', '604801', '9999999999', '1.5', 'abc', '', '1e3', '0x10', '+1', '60%20'])(
    'expiresIn=%s: 400',
    async (text) => {
      for (const path of [`/api/files/${id}/url`, '/api/files/object-url/docs/timed.txt']) {
        const reply = await project.as(ada, { path: `${path}?expiresIn=${text}` });
        expect(refusalOf(reply).slice(0, 2)).toEqual([400, 'INVALID_EXPIRES_IN']);
        expect(reply.text).toContain('expiresIn');
      }
    },
  );

  test.each(['?expiresIn=1', '?expiresIn=604800', ''])('%s is fine', async (query) => {
    expect((await project.as(ada, { path: `/api/files/${id}/url${query}` })).status).toBe(200);
  });
});

describe('links to private files of the local driver', () => {
  const linkTo = async (id: string, query = '?expiresIn=600') =>
    asRecord(dataOf(await project.as(ada, { path: `/api/files/${id}/url${query}` })));
  const follow = (url: unknown, change: (path: string) => string = (path) => path) =>
    fetchBytes(project, { path: change(pathOf(url)) });

  beforeAll(() => saveSettings(project, 'storage', { signedLinks: true }));

  test('a link needs no session and no key, and expires', async () => {
    const { id } = await put('linked.txt', { content: 'linked' });
    await saveSettings(project, 'security.keys', { enforced: true });
    const found = await project
      .send({
        path: `/api/files/${id}/url?expiresIn=600`,
        headers: { authorization: `Bearer ${ada.token}`, apikey: project.publishableKey },
      })
      .then((reply) => asRecord(dataOf(reply)));
    const reply = await follow(found['url']);
    await saveSettings(project, 'security.keys', { enforced: false });
    expect([reply.status, reply.bytes.toString()]).toEqual([200, 'linked']);
    expect(reply.headers['cache-control']).toBe('private, max-age=0, must-revalidate');
    expect(Date.parse(String(found['expiresAt']))).toBeGreaterThan(Date.now() + 590_000);
    const short = await linkTo(id, '?expiresIn=1');
    await waitFor(async () => (await follow(short['url'])).status === 403);
  });

  test('HEAD, parts and names work as they do for callers', async () => {
    const { id } = await put('linked-parts.txt', { content: '0123456789' });
    const { url } = await linkTo(id, '?download=report%20%26%20more.txt');
    const part = await fetchBytes(project, { path: pathOf(url), headers: { range: 'bytes=2-3' } });
    expect([part.status, part.bytes.toString()]).toEqual([206, '23']);
    const disposition = 'attachment; filename="report & more.txt"';
    expect(part.headers['content-disposition']).toBe(disposition);
    expect((await fetchBytes(project, { path: pathOf(url), method: 'HEAD' })).status).toBe(200);
  });

  test('a public file needs none', async () => {
    const { id } = await put('linked-public.txt', { visibility: 'public' });
    expect(await linkTo(id)).toMatchObject({
      expiresAt: null,
      url: expect.not.stringMatching('sig='),
    });
  });

  test.each([
    { name: 'a later end', change: (path: string) => path.replace(/exp=\d+/, 'exp=99999999999') },
    { name: 'an end that is none', change: (path: string) => path.replace(/exp=\d+/, 'exp=NaN') },
    { name: 'no end', change: (path: string) => path.replace(/exp=\d+/, '') },
    { name: 'another key', change: (path: string) => path.replace(/kid=[^&]+/, 'kid=AAAAAAAA') },
    { name: 'no key', change: (path: string) => path.replace(/kid=[^&]+/, '') },
    { name: 'another signature', change: (path: string) => path.replace(/sig=./, 'sig=~') },
    { name: 'a shorter signature', change: (path: string) => path.replace(/.$/, '') },
    { name: 'an empty signature', change: (path: string) => path.replace(/sig=.+/, 'sig=') },
    { name: 'another name', change: (path: string) => `${path}&download=other.exe` },
    { name: 'to be shown', change: (path: string) => `${path}&inline` },
    {
      name: 'an id that is none',
      change: (path: string) => path.replace(/files\/[^/]+/, 'files/x'),
    },
  ])('a link with $name is refused: 403', async ({ change }) => {
    const { id } = await put('linked-forged.txt', { upsert: true });
    const { url } = await linkTo(id);
    expect((await follow(url)).status).toBe(200);
    const reply = await follow(url, change);
    expect(reply.status).toBe(403);
    expect(asRecord(JSON.parse(reply.bytes.toString()))['code']).toBe('INVALID_LINK');
  });

  test('a link opens no other file, no other route, no other project', async () => {
    const { id } = await put('linked-one.txt');
    const { id: second } = await put('linked-two.txt');
    const path = pathOf((await linkTo(id))['url']);
    const get = async (changed: string, at = project) =>
      (await fetchBytes(at, { path: changed })).status;
    expect(await get(path.replace(id, second))).toBe(403);
    expect(await get(path.replace('/raw', '/url'))).toBe(401);
    expect(await get(path.replace('/raw', ''))).toBe(401);
    await saveSettings(other, 'storage', { signedLinks: true });
    expect(await get(path, other)).toBe(403);
  });

  test.each([
    { name: 'the file is replaced', end: () => put('linked-ending.txt', { upsert: true }) },
    {
      name: 'the file is deleted',
      end: () =>
        project.as(ada, { method: 'DELETE', path: '/api/files/object/docs/linked-ending.txt' }),
    },
    {
      name: 'links are turned off',
      end: () => saveSettings(project, 'storage', { signedLinks: false }),
    },
  ])('a link ends when $name', async ({ end }) => {
    const { id } = await put('linked-ending.txt', { upsert: true });
    const { url } = await linkTo(id);
    expect((await follow(url)).status).toBe(200);
    await end();
    expect((await follow(url)).status).toBe(403);
  });
});
