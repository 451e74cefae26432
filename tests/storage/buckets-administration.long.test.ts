// The administration of buckets: what each route does and refuses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  addFiles,
  addReservation,
  bucketPath,
  bucketsPath,
  dataOf,
  enveloped,
  makeBucket,
  refusalOf,
  rowsIn,
} from './bucket-rows.js';

let deployment: Deployment;
let project: ProjectUnderTest;
const ask = (call: Call): Promise<Reply> => project.asService(call);
const read = async (slug: string) => asRecord(dataOf(await ask({ path: bucketPath(slug) })));
const slugsIn = (reply: Reply) => (dataOf(reply) as { slug: string }[]).map(({ slug }) => slug); // The list of buckets.

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

describe('POST /api/admin/storage/buckets', () => {
  test('makes a bucket that may be left as it comes', async () => {
    const reply = await ask({ method: 'POST', path: bucketsPath, body: { slug: 'plain' } });
    expect(reply.status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(reply.body).toEqual(
      enveloped({
        slug: 'plain',
        name: 'plain',
        public: false,
        quotaBytes: null,
        maxFileBytes: null,
        allowedMimeTypes: null,
        cors: [],
        usedBytes: 0,
        reservedBytes: 0,
        fileCount: 0,
        createdAt: time,
        updatedAt: time,
      }),
    );
  });

  test('makes a bucket with everything set', async () => {
    const fields = {
      name: 'All pictures 🖼',
      public: true,
      quotaBytes: 5_000_000_000_000,
      maxFileBytes: 0,
      allowedMimeTypes: ['Image/*', 'image/*', 'application/pdf'],
      cors: [{ origins: ['https://app.example.org'], methods: ['get'], maxAgeSeconds: 5 }],
    };
    await makeBucket(project, 'full', fields);
    expect(await read('full')).toMatchObject({
      ...fields,
      allowedMimeTypes: ['image/*', 'application/pdf'],
      cors: [{ ...fields.cors[0], methods: ['GET'], allowedHeaders: [], exposedHeaders: [] }],
    });
  });

  test.each([
    { field: 'slug', body: {} },
    { field: 'slug', body: { slug: 7 } },
    { field: 'bucket slug', body: { slug: 'Pictures' }, code: 'INVALID_BUCKET_SLUG' },
    { field: 'bucket slug', body: { slug: '_mine' }, code: 'INVALID_BUCKET_SLUG' },
    { field: 'bucket slug', body: { slug: 'a/../b' }, code: 'INVALID_BUCKET_SLUG' },
    { field: 'bucket slug', body: { slug: 'a'.repeat(64) }, code: 'INVALID_BUCKET_SLUG' },
    { field: 'reserved', body: { slug: 'files' }, code: 'INVALID_BUCKET_SLUG' },
    { field: 'name', body: { name: '' } },
    { field: 'name', body: { name: null } },
    { field: 'name', body: { name: 'a\0b' } },
    { field: 'name', body: { name: 'a'.repeat(201) } },
    { field: 'public', body: { public: 'yes' } },
    { field: 'quotaBytes', body: { quotaBytes: -1 } },
    { field: 'quotaBytes', body: { quotaBytes: 1.5 } },
    { field: 'quotaBytes', body: { quotaBytes: 2 ** 53 } },
    { field: 'quotaBytes', body: { quotaBytes: '10' } },
    { field: 'maxFileBytes', body: { maxFileBytes: -1 } },
    { field: 'allowedMimeTypes', body: { allowedMimeTypes: 'image/png' } },
    { field: 'allowedMimeTypes', body: { allowedMimeTypes: [] } },
    { field: 'allowedMimeTypes', body: { allowedMimeTypes: [null] } },
    { field: '"image"', body: { allowedMimeTypes: ['image'] }, code: 'INVALID_MEDIA_TYPE' },
    { field: 'cors', body: { cors: null } },
    { field: 'cors[0].origins', body: { cors: [{ methods: ['GET'] }] }, code: 'MISSING_FIELD' },
    { field: 'usedBytes', body: { usedBytes: 0 }, code: 'UNKNOWN_FIELD' },
  ])('refuses $body and names $field', async ({ field, body, code = 'INVALID_INPUT' }) => {
    const before = slugsIn(await ask({ path: bucketsPath }));
    const sent = {
      slug: 'refused',
      ...body,
      ...(!('slug' in body) && field === 'slug' && { slug: undefined }),
    };
    const reply = await ask({ method: 'POST', path: bucketsPath, body: sent });
    expect(refusalOf(reply)).toEqual([400, code, expect.stringContaining(field)]);
    expect(slugsIn(await ask({ path: bucketsPath }))).toEqual(before);
  });

  test('gives a slug to one of those who ask at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask({ method: 'POST', path: bucketsPath, body: { slug: 'contended' } }),
      ),
    );
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array<number>(7).fill(409)]);
    const refused = replies.filter(({ status }) => status === 409).map(refusalOf);
    expect(new Set(refused.map(([, code]) => code))).toEqual(new Set(['BUCKET_EXISTS']));
    expect(
      await rowsIn(project, `select from platform.audit_log where target = 'contended'`),
    ).toHaveLength(1);
  });
});

describe('GET /api/admin/storage/buckets', () => {
  test('lists buckets by their slugs, and those of the platform when asked', async () => {
    await makeBucket(project, 'zebra');
    await makeBucket(project, 'aardvark');
    const slugs = slugsIn(await ask({ path: bucketsPath }));
    expect(slugs).toEqual(slugs.toSorted());
    expect(slugs).toEqual(expect.arrayContaining(['aardvark', 'zebra']));
    expect(slugs.filter((slug) => slug.startsWith('_'))).toEqual([]);
    const all = slugsIn(await ask({ path: `${bucketsPath}?hidden=true` }));
    expect(all.filter((slug) => slug.startsWith('_'))).toEqual(['_private', '_public']);
    expect((await ask({ path: `/admin/storage/buckets` })).status).toBe(200);
  });

  test('refuses a parameter that it does not know', async () => {
    expect(refusalOf(await ask({ path: `${bucketsPath}?hidden=yes` }))[0]).toBe(400);
    expect(refusalOf(await ask({ path: `${bucketsPath}?all=true` }))[0]).toBe(400);
  });
});

describe('GET, PATCH /api/admin/storage/buckets/:slug', () => {
  test('reads what a bucket holds', async () => {
    await makeBucket(project, 'counted');
    await addFiles(project, 'counted', 3);
    await addReservation(project, 'counted');
    expect(await read('counted')).toMatchObject({ usedBytes: 30, reservedBytes: 10, fileCount: 3 });
  });

  test.each(['GET', 'PATCH', 'DELETE'])(
    '%s of a bucket that is not there is 404',
    async (method) => {
      const reply = await ask({
        method,
        path: bucketPath('nowhere'),
        ...(method === 'PATCH' && { body: {} }),
      });
      expect(refusalOf(reply)).toEqual([404, 'BUCKET_NOT_FOUND', 'There is no bucket nowhere']);
    },
  );

  test.each(['UPPER', '%00', '..%2f..', 'a%27b'])('%s is no slug', async (slug) => {
    const code = slug.startsWith('..') ? 'AMBIGUOUS_TARGET' : 'INVALID_BUCKET_SLUG';
    expect(refusalOf(await ask({ path: bucketPath(slug) }))[1]).toBe(code);
  });

  test('changes what is given, and null takes a limit away', async () => {
    await makeBucket(project, 'changing', {
      quotaBytes: 10,
      maxFileBytes: 5,
      allowedMimeTypes: ['a/b'],
    });
    const path = bucketPath('changing');
    const first = await ask({ method: 'PATCH', path, body: { quotaBytes: null, public: true } });
    expect(dataOf(first)).toMatchObject({ quotaBytes: null, public: true, maxFileBytes: 5 });
    const second = await ask({
      method: 'PATCH',
      path,
      body: { maxFileBytes: null, allowedMimeTypes: null, name: 'Other', cors: [] },
    });
    expect(dataOf(second)).toMatchObject({
      name: 'Other',
      public: true,
      maxFileBytes: null,
      allowedMimeTypes: null,
    });
    const times = [first, second].map((reply) => String(asRecord(dataOf(reply))['updatedAt']));
    expect(times[1]! > times[0]!).toBe(true);
  });

  test.each([
    { body: { slug: 'other' }, code: 'UNKNOWN_FIELD' },
    { body: { public: null }, code: 'INVALID_INPUT' },
    { body: { cors: [{}] }, code: 'MISSING_FIELD' },
    { body: [], code: 'INVALID_INPUT' },
    { body: '"text"', code: 'INVALID_INPUT' },
  ])('refuses $body and changes nothing', async ({ body, code }) => {
    const before = await read('plain');
    expect(
      refusalOf(await ask({ method: 'PATCH', path: bucketPath('plain'), body })).slice(0, 2),
    ).toEqual([400, code]);
    expect(await read('plain')).toEqual(before);
  });

  test('a quota below what is used lets nothing new in', async () => {
    await makeBucket(project, 'shrunk');
    await addFiles(project, 'shrunk', 2);
    const reply = await ask({
      method: 'PATCH',
      path: bucketPath('shrunk'),
      body: { quotaBytes: 15 },
    });
    expect(dataOf(reply)).toMatchObject({ quotaBytes: 15, usedBytes: 20 });
    await addFiles(project, 'shrunk', 1);
    expect(await read('shrunk')).toMatchObject({ usedBytes: 20, fileCount: 2 });
  });
});

describe('DELETE /api/admin/storage/buckets/:slug', () => {
  test('is refused while the bucket holds objects, unless force is passed', async () => {
    await makeBucket(project, 'held');
    await addFiles(project, 'held', 2);
    await addReservation(project, 'held');
    const path = bucketPath('held');
    for (const query of ['', '?force=false']) {
      const reply = await ask({ method: 'DELETE', path: path + query });
      expect(refusalOf(reply).slice(0, 2)).toEqual([409, 'BUCKET_NOT_EMPTY']);
    }
    expect(refusalOf(await ask({ method: 'DELETE', path: `${path}?force=1` }))[0]).toBe(400);
    expect(await read('held')).toMatchObject({ fileCount: 2, reservedBytes: 10 });
    const reply = await ask({ method: 'DELETE', path: `${path}?force=true` });
    expect([reply.status, reply.body]).toEqual([200, enveloped({ slug: 'held' })]);
    expect((await ask({ path })).status).toBe(404);
    const left = `select from storage.stored_files where bucket = 'held'
      union all select from storage.uploads where bucket = 'held'`;
    expect(await rowsIn(project, left)).toEqual([]);
  });

  test('with more files than one statement takes, they are deleted in rounds before', async () => {
    await makeBucket(project, 'huge');
    await addFiles(project, 'huge', 2);
    await rowsIn(project, `update storage.buckets set object_count = 20000 where slug = 'huge'`);
    const reply = await ask({ method: 'DELETE', path: bucketPath('huge', '?force=true') });
    expect(reply.status).toBe(200);
    const log = `select action from platform.audit_log where target = 'huge' order by id`;
    expect((await rowsIn(project, log)).map(({ action }) => action)).toEqual([
      'bucket.create',
      'bucket.delete',
    ]);
  });

  test('deletes an empty bucket with its tokens, and its slug is free', async () => {
    await makeBucket(project, 'empty');
    await ask({
      method: 'POST',
      path: bucketPath('empty', '/tokens'),
      body: { name: 'n', kind: 'read' },
    });
    expect((await ask({ method: 'DELETE', path: bucketPath('empty') })).status).toBe(200);
    await makeBucket(project, 'empty');
    expect(dataOf(await ask({ path: bucketPath('empty', '/tokens') }))).toEqual([]);
  });
});

describe('GET /api/admin/storage/buckets/:slug/files', () => {
  test('lists the files of the bucket page by page', async () => {
    await makeBucket(project, 'listed');
    await addFiles(project, 'listed', 3);
    const path = bucketPath('listed', '/files');
    const reply = await ask({ path: `${path}?limit=2&sortBy=key` });
    expect([reply.status, asRecord(reply.body)['total']]).toEqual([200, 3]);
    expect(dataOf(reply)).toMatchObject(
      Array(2).fill({ kind: 'file', bucket: 'listed', size: 10, visibility: 'private' }),
    );
    const rest = await ask({ path: `${path}?limit=2&offset=2` });
    expect(dataOf(rest)).toHaveLength(1);
    expect((await ask({ path: bucketPath('_private', '/files') })).body).toEqual({
      ...enveloped([]),
      total: 0,
    });
  });

  test.each(['limit=0', 'limit=1001', 'sortBy=owner', 'order=up', 'offset=-1', 'all=true'])(
    'refuses ?%s',
    async (query) => {
      const reply = await ask({ path: bucketPath('listed', `/files?${query}`) });
      expect(refusalOf(reply)).toEqual([
        400,
        expect.any(String),
        expect.stringContaining(String(query.split('=')[0])),
      ]);
    },
  );

  test('of a bucket that is not there are 404', async () => {
    const reply = await ask({ path: bucketPath('nowhere', '/files') });
    expect(refusalOf(reply).slice(0, 2)).toEqual([404, 'BUCKET_NOT_FOUND']);
  });
});

describe('POST /api/admin/storage/buckets/:slug/recount', () => {
  test('sets the counters right and tells by how much they were too high', async () => {
    await makeBucket(project, 'drifted');
    await addFiles(project, 'drifted', 2);
    await rowsIn(
      project,
      `update storage.buckets set used_bytes = 25, object_count = 1 where slug = 'drifted'`,
    );
    const path = bucketPath('drifted', '/recount');
    const drift = { usedDrift: 5, reservedDrift: 0, fileDrift: -1 };
    expect((await ask({ method: 'POST', path })).body).toEqual(enveloped(drift));
    expect(await read('drifted')).toMatchObject({ usedBytes: 20, fileCount: 2 });
    const again = await ask({ method: 'POST', path });
    expect([again.status, dataOf(again)]).toEqual([
      200,
      { usedDrift: 0, reservedDrift: 0, fileDrift: 0 },
    ]);
    expect((await ask({ method: 'POST', path: bucketPath('nowhere', '/recount') })).status).toBe(
      404,
    );
  });
});
