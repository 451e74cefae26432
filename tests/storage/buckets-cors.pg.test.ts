// Which pages may use a bucket: its own CORS rules, or those of its project while it has none.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { bucketPath, enveloped, makeBucket } from './bucket-rows.js';

let deployment: Deployment;
let project: ProjectUnderTest;

const app = 'https://app.example.org';
const site = 'https://site.example.net';
const rules = [
  { origins: [app], methods: ['GET'], exposedHeaders: ['etag'], maxAgeSeconds: 30 },
  {
    origins: ['https://*.example.org'],
    methods: ['POST', 'DELETE'],
    allowedHeaders: ['X-Bucket-Token', 'content-type'],
  },
];

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  // Pages of one origin are the project's own; others may read its answers without cookies.
  await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/auth.urls',
    body: { siteUrl: site },
  });
  await makeBucket(project, 'ruled', { public: true, cors: rules });
  await makeBucket(project, 'open', {
    cors: [{ origins: ['*'], methods: ['GET'], allowedHeaders: ['*'] }],
  });
  await makeBucket(project, 'plain', { public: true });
});
afterAll(() => deployment.close());

const sentByClients = [
  'x-bucket-token range if-none-match if-match if-modified-since if-range x-checksum-sha256 repr-digest',
  'content-digest tus-resumable upload-length upload-metadata upload-offset upload-defer-length upload-concat',
].flatMap((line) => line.split(' '));
const readByClients = [
  'etag content-length content-range content-disposition accept-ranges last-modified location',
  'tus-resumable tus-version tus-extension tus-max-size upload-offset upload-length upload-expires',
].flatMap((line) => line.split(' '));

/** What pages read of every answer. */
const always = 'www-authenticate, x-request-id, retry-after';

const foreign = 'https://foreign.example.net';
const fileIn = (slug: string) => `/api/storage/${slug}/files/none.txt`;

/** The CORS headers of an answer. */
function allowedBy({ headers }: Reply): Record<string, unknown> {
  const names = Object.entries(headers).filter(([name]) => name.startsWith('access-control-'));
  return Object.fromEntries(
    names.map(([name, value]) => [name.slice('access-control-'.length), value]),
  );
}

const ask = (call: Call, origin?: string): Promise<Reply> =>
  project.send({ ...call, headers: { ...call.headers, ...(origin !== undefined && { origin }) } });

const serve = (call: Call): Promise<Reply> => project.asService(call);

const preflight = (path: string, origin: string, method: string, headers?: string) =>
  ask(
    {
      method: 'OPTIONS',
      path,
      headers: {
        'access-control-request-method': method,
        ...(headers !== undefined && { 'access-control-request-headers': headers }),
      },
    },
    origin,
  );

describe('requests to a bucket with rules', () => {
  test.each([
    { name: 'a listed origin', origin: app, slug: 'ruled', allowed: app },
    { name: 'a listed origin by HEAD', origin: app, slug: 'ruled', method: 'HEAD', allowed: app },
    {
      name: 'a subdomain by a method of its rule',
      origin: 'https://a.b.example.org',
      slug: 'ruled',
      method: 'DELETE',
      allowed: 'https://a.b.example.org',
    },
    { name: 'a subdomain by another method', origin: 'https://a.b.example.org', slug: 'ruled' },
    { name: 'the domain above', origin: 'https://example.org', slug: 'ruled', method: 'DELETE' },
    { name: 'another scheme', origin: 'http://app.example.org', slug: 'ruled' },
    { name: 'another port', origin: `${app}:8443`, slug: 'ruled' },
    { name: 'a domain that begins like it', origin: `${app}.evil.net`, slug: 'ruled' },
    { name: 'a domain that ends like it', origin: 'https://evilapp.example.org', slug: 'ruled' },
    {
      name: 'a domain that ends like the wildcard',
      origin: 'https://evilexample.org',
      slug: 'ruled',
      method: 'DELETE',
    },
    { name: 'no origin', origin: 'null', slug: 'ruled' },
    { name: 'the origin of the project', origin: site, slug: 'ruled' },
    { name: 'any origin of the star', origin: 'https://elsewhere.net', slug: 'open', allowed: '*' },
    { name: 'no origin of the star', origin: 'null', slug: 'open', allowed: '*' },
  ])('$name: $allowed', async ({ origin, slug, method = 'GET', allowed }) => {
    const reply = await ask({ method, path: fileIn(slug) }, origin);
    expect(reply.headers['vary']).toContain('Origin');
    const exposed = allowed === app ? `${always}, etag` : always;
    expect(allowedBy(reply)).toEqual(
      allowed === undefined ? {} : { 'allow-origin': allowed, 'expose-headers': exposed },
    );
  });

  test('go by the rules however their address is written', async () => {
    const written = [
      '/api/storage/%72uled/files/x',
      '/%61pi/storage/ruled/files/x',
      '/api/st%6Frage/ruled/files/x?a=/',
    ];
    for (const path of written) {
      expect(allowedBy(await ask({ path }, app))['allow-origin']).toBe(app);
      expect(allowedBy(await ask({ path }, site))).toEqual({});
    }
  });

  test('go by the rules of now', async () => {
    await makeBucket(project, 'changing');
    const path = bucketPath('changing', '/cors');
    const before = allowedBy(await ask({ path: fileIn('changing') }, foreign));
    expect(before['allow-origin']).toBe(foreign);
    await project.asService({ method: 'PUT', path, body: rules });
    expect(allowedBy(await ask({ path: fileIn('changing') }, app))['allow-origin']).toBe(app);
    expect(allowedBy(await ask({ path: fileIn('changing') }, foreign))).toEqual({});
    await project.asService({ method: 'DELETE', path });
    const after = allowedBy(await ask({ path: fileIn('changing') }, foreign));
    expect(after['allow-origin']).toBe(foreign);
  });

  test('bring the bytes of a file', async () => {
    const path = '/api/files/object/ruled/here.txt';
    const headers = { 'content-type': 'text/plain' };
    const put = await serve({ method: 'PUT', path, headers, body: 'here' });
    expect(put.status).toBe(201);
    const reply = await ask({ path: '/api/storage/ruled/files/here.txt' }, app);
    expect([reply.status, reply.text, reply.headers['vary']]).toEqual([200, 'here', 'Origin']);
    expect(allowedBy(reply)).toEqual({ 'allow-origin': app, 'expose-headers': `${always}, etag` });
  });

  test('without an origin they vary by it all the same', async () => {
    for (const slug of ['ruled', 'plain']) {
      const reply = await ask({ path: fileIn(slug) });
      expect([reply.headers['vary'], allowedBy(reply)]).toEqual(['Origin', {}]);
    }
  });
});

describe('preflights to a bucket with rules', () => {
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
  test.each([
    {
      name: 'a listed method without headers',
      asked: [fileIn('ruled'), app, 'GET'] as const,
      answer: { 'allow-origin': app, 'allow-methods': 'GET', 'max-age': '30' },
    },
    {
      name: 'listed headers in any letters',
      asked: [
        fileIn('ruled'),
        'https://x.example.org',
        'POST',
        'Content-Type,X-BUCKET-TOKEN',
      ] as const,
      answer: {
        'allow-origin': 'https://x.example.org',
        'allow-methods': 'POST, DELETE',
        'allow-headers': 'content-type, x-bucket-token',
        'max-age': '600',
      },
    },
    {
      name: 'any header of the star',
      asked: [fileIn('open'), 'null', 'GET', 'authorization, range'] as const,
      answer: {
        'allow-origin': '*',
        'allow-methods': 'GET',
        'allow-headers': 'authorization, range',
        'max-age': '600',
      },
    },
    {
      name: 'a header that is not listed',
      asked: [fileIn('ruled'), app, 'POST', 'x-other'] as const,
      answer: {},
    },
    {
      name: 'a header of another rule',
      asked: [fileIn('ruled'), app, 'GET', 'content-type'] as const,
      answer: {},
    },
    {
      name: 'a method that is not listed',
      asked: [fileIn('ruled'), app, 'PATCH'] as const,
      answer: {},
    },
    {
      name: 'an origin that is not listed',
      asked: [fileIn('ruled'), site, 'GET'] as const,
      answer: {},
    },
    {
      name: 'the wildcard in place of an origin',
      asked: [fileIn('ruled'), 'https://*.example.org', 'POST'] as const,
      answer: {},
    },
  ])('$name', async ({ asked: [path, origin, method, headers], answer }) => {
    const reply = await preflight(path, origin, method, headers);
    expect([reply.status, reply.text, reply.headers['vary']]).toEqual([204, '', vary]);
    expect(allowedBy(reply)).toEqual(answer);
  });
});

describe('the rules of the project', () => {
  test.each([
    { name: 'a bucket without rules', path: fileIn('plain') },
    { name: 'a bucket that is not there', path: fileIn('nowhere') },
    { name: 'what is no slug', path: '/api/storage/%00/files/x' },
    { name: 'what is not below a bucket', path: '/api/storage/ruled' },
    { name: 'files by their id', path: '/api/files/x/raw?from=/api/storage/ruled/x' },
    { name: 'tables', path: '/rest/v1/ruled' },
  ])('hold for $name', async ({ path }) => {
    const open = allowedBy(await ask({ path }, app));
    expect([open['allow-origin'], open['allow-credentials']]).toEqual([app, undefined]);
    const reply = await ask({ path }, site);
    expect([reply.headers['vary'], allowedBy(reply)]).toMatchObject([
      'Origin',
      { 'allow-origin': site, 'allow-credentials': 'true' },
    ]);
  });

  test('let pages send and read what clients of files need', async () => {
    const reply = await preflight('/api/files', site, 'POST', sentByClients.join(', '));
    const sent = String(allowedBy(reply)['allow-headers']).split(', ');
    expect(sent).toEqual(expect.arrayContaining(sentByClients));
    const read = String(allowedBy(await ask({ path: '/api/files' }, site))['expose-headers']);
    expect(read.split(', ')).toEqual(expect.arrayContaining(readByClients));
    expect(allowedBy(reply)).toMatchObject({ 'max-age': '600', 'allow-origin': site });
  });
});

test('the bucket of one project has no say in another', async () => {
  const neighbor = await deployment.createProject();
  await makeBucket(neighbor, 'ruled', {
    cors: [{ origins: ['https://other.net'], methods: ['GET'] }],
  });
  const own = await ask({ path: fileIn('ruled') }, 'https://other.net');
  const theirs = await neighbor.send({
    path: fileIn('ruled'),
    headers: { origin: 'https://other.net' },
  });
  expect([allowedBy(own), allowedBy(theirs)]).toEqual([
    {},
    { 'allow-origin': 'https://other.net', 'expose-headers': always },
  ]);
});

describe('GET, PUT, DELETE /api/admin/storage/buckets/:slug/cors', () => {
  test('the rules are read, set and deleted as a list', async () => {
    await makeBucket(project, 'edited');
    const path = bucketPath('edited', '/cors');
    expect((await serve({ path })).body).toEqual(enveloped([]));
    const rule = {
      origins: ['https://a.example.org'],
      methods: ['GET'],
      allowedHeaders: ['x-a'],
      exposedHeaders: [],
      maxAgeSeconds: 1,
    };
    expect((await serve({ method: 'PUT', path, body: [rule] })).body).toEqual(enveloped([rule]));
    expect((await serve({ path })).body).toEqual(enveloped([rule]));
    for (const body of [{}, [{ origins: [] }], undefined]) {
      expect((await serve({ method: 'PUT', path, body })).status).toBe(400);
    }
    expect((await serve({ path })).body).toEqual(enveloped([rule]));
    expect((await serve({ method: 'DELETE', path })).body).toEqual(enveloped([]));
    expect((await serve({ path: bucketPath('nowhere', '/cors') })).status).toBe(404);
  });
});
