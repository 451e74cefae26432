// Who may administer buckets, and what the audit log says of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeSignedIn, operatorHeaders } from '../http/administration.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import {
  addFiles,
  bucketPath,
  bucketsPath,
  dataOf,
  makeBucket,
  makeToken,
  refusalOf,
  rowsIn,
  withHeaders,
} from './bucket-rows.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
let admin: SignedIn;
let user: SignedIn;
const ask = (call: Call): Promise<Reply> => project.asService(call);
const read = async (slug: string) => asRecord(dataOf(await ask({ path: bucketPath(slug) })));

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  neighbor = await deployment.createProject();
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
  user = await makeSignedIn(project, 'user@example.org');
  await makeBucket(project, 'pictures', { public: true });
  await makeBucket(project, 'papers');
  await addFiles(project, 'pictures', 1);
});
afterAll(() => deployment.close());

/** Everything that the calls below could change. */
const traces = () =>
  rowsIn(
    project,
    `select (select json_agg(b) from storage.buckets b) as buckets,
       (select json_agg(t) from storage.access_tokens t) as tokens,
       (select count(*) from storage.stored_files) as files,
       (select count(*) from platform.audit_log) as entries`,
  );

const reads: readonly Call[] = [
  { path: bucketsPath },
  { path: bucketPath('pictures') },
  { path: bucketPath('pictures', '/cors') },
  { path: bucketPath('pictures', '/files') },
];
const writes: readonly Call[] = [
  { method: 'POST', path: bucketsPath, body: { slug: 'stolen' } },
  { method: 'PATCH', path: bucketPath('pictures'), body: { public: false } },
  { method: 'DELETE', path: bucketPath('papers', '?force=true') },
  { method: 'POST', path: bucketPath('pictures', '/empty') },
  { method: 'POST', path: bucketPath('pictures', '/recount') },
  { method: 'PUT', path: bucketPath('pictures', '/cors'), body: [] },
  { method: 'DELETE', path: bucketPath('pictures', '/cors') },
];
const secrets: readonly Call[] = [
  { path: bucketPath('pictures', '/tokens') },
  { method: 'POST', path: bucketPath('pictures', '/tokens'), body: { name: 'x', kind: 'read' } },
  {
    method: 'DELETE',
    path: bucketPath('pictures', '/tokens/6f1c1b1e-0000-4000-8000-000000000000'),
  },
];
const operator = (...capabilities: Parameters<typeof operatorHeaders>[2]) =>
  operatorHeaders(deployment, project, capabilities);

describe('who may not', () => {
  test.each([
    {
      name: 'nobody without a credential',
      headers: () => ({}),
      calls: [reads, writes, secrets],
      code: 'UNAUTHORIZED',
      status: 401,
    },
    {
      name: 'nobody with the publishable key',
      headers: () => ({ apikey: project.publishableKey }),
      calls: [reads, writes, secrets],
      code: 'UNAUTHORIZED',
      status: 401,
    },
    {
      name: 'no user',
      headers: () => ({ authorization: `Bearer ${user.token}` }),
      calls: [reads, writes, secrets],
      code: 'ADMIN_REQUIRED',
      status: 403,
    },
    {
      name: 'no operator without content.read reads',
      headers: () => operator('content.write', 'secrets.manage'),
      calls: [reads],
      code: 'CAPABILITY_REQUIRED',
      status: 403,
    },
    {
      name: 'no operator without content.write writes',
      headers: () => operator('content.read', 'secrets.manage'),
      calls: [writes],
      code: 'CAPABILITY_REQUIRED',
      status: 403,
    },
    {
      name: 'no operator without secrets.manage has to do with tokens',
      headers: () => operator('content.read', 'content.write'),
      calls: [secrets],
      code: 'CAPABILITY_REQUIRED',
      status: 403,
    },
  ])('$name', async ({ headers, calls, code, status }) => {
    const before = await traces();
    for (const call of calls.flat()) {
      const reply = await project.send(withHeaders(call, headers()));
      expect([call, reply.status, asRecord(reply.body)['code']]).toEqual([call, status, code]);
    }
    expect(await traces()).toEqual(before);
  });

  test('no token of a bucket administers it', async () => {
    const { token } = await makeToken(project, 'papers', { kind: 'delete' });
    const headers = { 'x-bucket-token': token };
    const reply = await project.send({ method: 'DELETE', path: bucketPath('papers'), headers });
    expect(refusalOf(reply).slice(0, 2)).toEqual([401, 'UNAUTHORIZED']);
  });

  test('no project reaches the buckets and tokens of another', async () => {
    const { id } = await makeToken(project, 'papers', { kind: 'read' });
    const before = await traces();
    const calls = [
      ...reads.slice(1),
      ...writes.slice(1),
      { method: 'DELETE', path: bucketPath('papers', `/tokens/${id}`) },
    ];
    for (const call of calls) expect((await neighbor.asService(call)).status).toBe(404);
    expect(dataOf(await neighbor.asService({ path: bucketsPath }))).toEqual([]);
    expect(await traces()).toEqual(before);
  });
});

describe('the buckets of the platform', () => {
  test.each(['_public', '_private'])('%s is read and limited', async (slug) => {
    const body = { quotaBytes: 1_000_000, maxFileBytes: 1000, allowedMimeTypes: ['image/*'] };
    const reply = await ask({ method: 'PATCH', path: bucketPath(slug), body });
    expect([reply.status, await read(slug)]).toMatchObject([200, body]);
    await ask({
      method: 'PATCH',
      path: bucketPath(slug),
      body: { quotaBytes: null, maxFileBytes: null, allowedMimeTypes: null },
    });
  });

  test.each([
    {
      name: 'is not deleted',
      call: { method: 'DELETE', path: bucketPath('_public', '?force=true') },
      code: 'BUCKET_PROTECTED',
    },
    {
      name: 'stays as public as it is',
      call: { method: 'PATCH', path: bucketPath('_public'), body: { public: false } },
      code: 'FIELD_NOT_ALLOWED',
    },
    {
      name: 'keeps its name',
      call: { method: 'PATCH', path: bucketPath('_public'), body: { name: 'x' } },
      code: 'FIELD_NOT_ALLOWED',
    },
    {
      name: 'has no tokens',
      call: {
        method: 'POST',
        path: bucketPath('_public', '/tokens'),
        body: { name: 'x', kind: 'read' },
      },
      code: 'BUCKET_PROTECTED',
    },
    {
      name: 'is not made',
      call: { method: 'POST', path: bucketsPath, body: { slug: '_public' } },
      code: 'INVALID_BUCKET_SLUG',
    },
  ])('$name', async ({ call, code }) => {
    const before = await read('_public');
    expect(refusalOf(await ask(call))[1]).toBe(code);
    expect(await read('_public')).toEqual(before);
  });
});

describe('who may', () => {
  test.each([
    {
      name: 'administrators',
      headers: () => ({ authorization: `Bearer ${admin.token}` }),
      slug: 'by-admin',
      actor: () => ({ actor_kind: 'user', actor_id: admin.id, actor_email: admin.email }),
    },
    {
      name: 'operators',
      headers: () => operator('content.write', 'content.read', 'secrets.manage'),
      slug: 'by-operator',
      actor: () => ({ actor_kind: 'operator', actor_email: 'operator@example.org' }),
    },
    {
      name: 'the secret key',
      headers: () => ({ apikey: project.secretKey }),
      slug: 'by-key',
      actor: () => ({ actor_kind: 'secret-key', actor_id: null }),
    },
  ])(
    '$name, and the log names them with what was and what is',
    async ({ headers, slug, actor }) => {
      const send = (call: Call) => project.send(withHeaders(call, headers()));
      const rules = [{ origins: ['*'], methods: ['GET'] }];
      expect((await send({ method: 'POST', path: bucketsPath, body: { slug } })).status).toBe(201);
      await send({
        method: 'PATCH',
        path: bucketPath(slug),
        body: { quotaBytes: 9, public: false },
      });
      await send({ method: 'PATCH', path: bucketPath(slug), body: { quotaBytes: 9 } });
      await send({ method: 'PUT', path: bucketPath(slug, '/cors'), body: rules });
      await send({ method: 'PUT', path: bucketPath(slug, '/cors'), body: rules });
      await send({ method: 'DELETE', path: bucketPath(slug, '/cors') });
      const made = asRecord(
        dataOf(
          await send({
            method: 'POST',
            path: bucketPath(slug, '/tokens'),
            body: { name: 'n', kind: 'read' },
          }),
        ),
      );
      expect(
        (await send({ method: 'DELETE', path: bucketPath(slug, `/tokens/${String(made['id'])}`) }))
          .status,
      ).toBe(204);
      expect((await send({ method: 'DELETE', path: bucketPath(slug) })).status).toBe(200);
      const entries = await rowsIn(
        project,
        'select * from platform.audit_log where target = $1 order by id',
        [slug],
      );
      expect(entries).toMatchObject(
        [
          { action: 'bucket.create', before: null, after: { name: slug, quotaBytes: null } },
          { action: 'bucket.update', before: { quotaBytes: null }, after: { quotaBytes: 9 } },
          { action: 'bucket.cors', before: { cors: [] }, after: { cors: rules } },
          { action: 'bucket.cors', before: { cors: rules }, after: { cors: [] } },
          {
            action: 'bucketToken.create',
            before: null,
            after: { id: made['id'], name: 'n', kind: 'read' },
          },
          { action: 'bucketToken.delete', before: { id: made['id'] }, after: null },
          { action: 'bucket.delete', before: { slug, quotaBytes: 9 }, after: null },
        ].map((entry) => ({ ...entry, ...actor() })),
      );
      expect(JSON.stringify(entries)).not.toContain(String(made['token']));
    },
  );
});
