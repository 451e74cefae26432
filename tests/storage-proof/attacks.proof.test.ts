// Names, types and headers that mean harm, over sockets: nothing leaves the folder of the project, nothing gets into
// the headers of an answer, and nothing is served so that a browser would run it.
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { makeBucket } from '../storage/bucket-rows.js';
import { localFolder } from '../storage/stored-files.js';
import { type ByteAnswer, type ByteCall, exchange, jsonOf } from './exchange.js';
import { fileForm } from './file-form.js';

/** Stands in every name that tries to get out. */
const mark = `escaped-${process.pid}`;

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.open();
  project = await deployment.createProject();
  await makeBucket(project, 'docs', { public: true });
  await makeBucket(project, 'pictures', { public: true, allowedMimeTypes: ['image/*'] });
  await ask({
    method: 'PUT',
    path: '/api/files/object/docs/source.txt',
    body: Buffer.from('text'),
  });
});
afterAll(() => deployment.close());

function ask(call: ByteCall): Promise<ByteAnswer> {
  return exchange(project, { ...call, headers: { apikey: project.secretKey, ...call.headers } });
}

function askJson(path: string, body: object, method = 'POST'): Promise<ByteAnswer> {
  const headers = { 'content-type': 'application/json' };
  return ask({ method, path, headers, body: Buffer.from(JSON.stringify(body)) });
}

const dataOf = (answer: ByteAnswer) => asRecord(asRecord(jsonOf(answer))['data']);

/** Everything in the data folder that is no object of the project, and every name anywhere near that has the mark. */
async function strayNames(): Promise<readonly string[]> {
  const { dataDir } = deployment.ground;
  const own = localFolder(deployment, project).slice(dataDir.length + 1);
  const object = new RegExp(`^${own}(?:/(?:\\.tmp|[0-9a-f]{2}(?:/[0-9a-f-]{36})?))?$`);
  const parents = new Set(own.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/')));
  const below = (await readdir(dataDir, { recursive: true })).filter(
    (name) => !object.test(name) && !parents.has(name),
  );
  const around = await Promise.all(['/', '/etc', tmpdir(), process.cwd()].map((f) => readdir(f)));
  return [...below, ...around.flat().filter((name) => name.includes('escaped'))];
}

/** Paths as they stand in the request line, and what they are when they are taken. */
const keys: readonly { readonly name: string; readonly path: string; readonly key?: string }[] = [
  { name: 'dots', path: `../${mark}` },
  { name: 'dots in the middle', path: `a/../../../${mark}` },
  { name: 'dots at the end', path: `${mark}/..` },
  { name: 'one dot', path: `./${mark}` },
  { name: 'encoded dots', path: `%2e%2e/${mark}` },
  { name: 'encoded dots and slash', path: `%2e%2e%2f%2E%2E%2F${mark}` },
  { name: 'dots encoded twice', path: `%252e%252e/${mark}`, key: `%2e%2e/${mark}` },
  { name: 'a slash encoded twice', path: `..%252f${mark}`, key: `..%2f${mark}` },
  { name: 'NUL', path: `${mark}%00.png` },
  { name: 'backslashes', path: `..%5c..%5c${mark}` },
  { name: 'an overlong dot', path: `%c0%ae%c0%ae/${mark}` },
  { name: 'an overlong slash', path: `..%c0%af${mark}` },
  { name: 'half a code point', path: `${mark}%e2%82` },
  { name: 'a surrogate', path: `${mark}%ed%a0%80` },
  { name: 'an absolute path', path: `/etc/${mark}` },
  { name: 'an encoded absolute path', path: `%2fetc%2f${mark}` },
  { name: 'a drive with a backslash', path: `C:%5c${mark}` },
  { name: 'a drive with a slash', path: `C:/${mark}`, key: `C:/${mark}` },
  { name: 'the end of a line', path: `${mark}%0d%0ax-evil:%201` },
  { name: 'the separator of lines', path: `${mark}%e2%80%a8` },
  { name: 'an empty segment', path: `a//${mark}` },
  { name: 'more than 1024 bytes', path: `${mark}${'a'.repeat(1024)}` },
  {
    name: 'a bidirectional override',
    path: `${mark}%e2%80%aegpj.exe`,
    key: `${mark}\u202egpj.exe`,
  },
  {
    name: 'dots that look like dots',
    path: `%ef%bc%8e%ef%bc%8e/${mark}`,
    key: `\uff0e\uff0e/${mark}`,
  },
];

/** The same names where they are not percent-decoded: fields of forms, JSON, queries. */
const texts = [
  `../${mark}`,
  `a/../../${mark}`,
  `/etc/${mark}`,
  `${mark}\0`,
  `..\\${mark}`,
  `C:\\${mark}`,

  `${mark}\r\nx-evil: 1`,
  `${mark}/`,
  `${mark}//a`,
  '.',
  '..',
  `${mark}${'\u{1f600}'.repeat(257)}`,
];

describe('keys', () => {
  test.each(keys)('$name in the path of an upload', async ({ path, key }) => {
    const call = { method: 'PUT', path: `/api/files/object/docs/${path}`, body: Buffer.from('x') };
    const answer = await ask(call);
    if (key === undefined) {
      expect(answer.status).toBe(400);
    } else {
      expect(answer.status).toBe(201);
      expect(dataOf(answer)).toMatchObject({ key });
    }
    const read = await ask({ path: call.path });
    expect(read.status).toBe(key === undefined ? 400 : 200);
    expect(read.headers['x-evil']).toBeUndefined();
    expect(await strayNames()).toEqual([]);
  });

  test.each(texts)('%j as a field is refused, wherever it stands', async (text) => {
    const form = fileForm({ path: text }, { fileName: 'a.txt', content: 'x' });
    const query = encodeURIComponent(text);
    const relocation = { bucket: 'docs', from: 'source.txt', to: text };
    const answers = await Promise.all([
      ask({ method: 'POST', path: '/api/files/?bucket=docs', ...form }),
      ask({
        method: 'POST',
        path: `/api/storage/docs/upload?path=${query}`,
        body: Buffer.from('x'),
      }),
      askJson('/api/files/copy', relocation),
      askJson('/api/files/move', relocation),
      askJson('/api/files/move', { ...relocation, from: text, to: 'b' }),
      askJson('/api/files/remove', { bucket: 'docs', paths: [text] }),
      ask({ path: `/storage/v1/render/image?bucket=docs&path=${query}&width=10` }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    expect((await ask({ path: `/api/files/list/docs?prefix=..%2f` })).status).toBe(400);
    expect(await strayNames()).toEqual([]);
  });
});

describe('slugs of buckets', () => {
  const slugs = [
    '..',
    '%2e%2e',
    '..%2fdocs',
    'docs%2f..',
    'docs%00',
    'Docs',
    '%64ocs%5c',
    '_other',
    'a'.repeat(80),
  ];
  test.each(slugs)('%s is no bucket', async (slug) => {
    const body = Buffer.from('x');
    const calls: readonly ByteCall[] = [
      { method: 'PUT', path: `/api/files/object/${slug}/${mark}`, body },
      { method: 'POST', path: `/api/storage/${slug}/upload?path=${mark}`, body },
      { path: `/api/storage/${slug}/files/source.txt` },
      { path: `/api/files/object/${slug}/source.txt` },
      { path: `/api/files/list/${slug}` },
      { path: `/storage/v1/render/image?bucket=${slug}&path=source.txt` },
      { method: 'DELETE', path: `/api/admin/storage/buckets/${slug}?force=true` },
    ];
    for (const call of calls) expect([400, 404]).toContain((await ask(call)).status);
    const made = await askJson('/api/admin/storage/buckets', { slug: decodeURIComponent(slug) });
    expect(made.status).toBe(400);
    expect(await strayNames()).toEqual([]);
  });
});

const ends = [
  '\r\nx-evil: 1',
  '\nx-evil: 1',
  '\rx-evil: 1',
  '%0d%0ax-evil: 1',
  '"; x-evil="1',
  '\0',
];

/** No header is there but those that every file has. */
function expectNoEvil({ headers }: ByteAnswer): void {
  expect(headers['x-evil']).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
  expect(headers['x-content-type-options']).toBe('nosniff');
}

describe('names of files in forms', () => {
  const names = [
    `../../${mark}`,
    `..\\..\\${mark}.txt`,
    `/etc/${mark}`,
    `C:\\${mark}`,
    `%2e%2e%2f${mark}`,
    '..',
    '.',
    '',
    `${mark}\0.png`,
    '\u202egpj.exe',
    'a'.repeat(3000),
    '"; filename="b',
    '\xc0\xae\xc0\xae/x',
    ...ends.map((end) => `a${end}`),
  ];
  test.each(names)('%j is text', async (fileName) => {
    const form = fileForm({}, { fileName, content: 'x' });
    const answer = await ask({ method: 'POST', path: '/api/files/?bucket=docs', ...form });
    if (answer.status !== 201) expect(answer.status).toBe(400);
    else {
      const { id, key, name } = dataOf(answer);
      // One folder named by the id, one name in it.
      expect(String(key)).toBe(`${String(id)}/${String(name)}`);
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(String(name)).toMatch(/^[^/\\\x00-\x1f\x7f]{1,150}$/);
      const read = await ask({ path: `/api/files/${String(id)}/raw?download` });
      expect(read.status).toBe(200);
      expectNoEvil(read);
      expect(read.headers['content-disposition']).toMatch(
        /^attachment; filename="[^"\\/%]+"(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/,
      );
    }
    expect(await strayNames()).toEqual([]);
  });
});

describe('what becomes a header', () => {
  test.each(ends)('%j gets into none', async (end) => {
    for (const field of [{ contentType: `text/plain${end}` }, { cacheControl: `no-store${end}` }]) {
      const form = fileForm(
        { ...field, upsert: 'true', path: 'header' },
        { fileName: 'a', content: 'x' },
      );
      const answer = await ask({ method: 'POST', path: '/api/files/?bucket=docs', ...form });
      if (answer.status !== 201) expect(answer.status).toBe(400);
      else expectNoEvil(await ask({ path: '/api/storage/docs/files/header' }));
    }
    const download = encodeURIComponent(`a${end}`);
    const read = await ask({ path: `/api/files/object/docs/source.txt?download=${download}` });
    expect(read.status).toBe(200);
    expectNoEvil(read);
  });
});

describe('types that content does not have', () => {
  const html = '<!doctype html><script>alert(1)</script>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each([
    { name: 'HTML as PNG', mime: 'image/png', content: html },
    { name: 'HTML as SVG', mime: 'image/svg+xml', content: html },
    { name: 'SVG as JPEG', mime: 'image/jpeg', content: svg },
    { name: 'HTML behind white space as GIF', mime: 'image/gif', content: `\n \t${html}` },
    { name: 'a script as WebP', mime: 'image/webp', content: 'alert(1)' },
    { name: 'nothing as PNG', mime: 'image/png', content: '' },
    { name: 'a type that is a header', mime: 'text/html image/png', content: html },
    { name: 'a type that is a pattern', mime: 'image/*', content: html },
  ])('$name is refused', async ({ mime, content }) => {
    for (const bucket of ['docs', 'pictures']) {
      const form = fileForm({ contentType: mime, path: 'forged' }, { fileName: 'a.png', content });
      const answer = await ask({ method: 'POST', path: `/api/files/?bucket=${bucket}`, ...form });
      expect(answer.status).toBe(400);
      expect((await ask({ path: `/api/files/object/${bucket}/forged` })).status).toBe(404);
    }
  });

  test.each(['text/html', 'application/pdf', 'image/svg+xml; charset=x/y'])(
    'a picture as %s is none of a bucket of pictures',
    async (contentType) => {
      const form = fileForm({ contentType }, { fileName: 'a.png', content: 'GIF89a' });
      const answer = await ask({ method: 'POST', path: '/api/files/?bucket=pictures', ...form });
      expect([400, 415]).toContain(answer.status);
    },
  );
});
