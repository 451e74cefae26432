// Who may do what with stored files: policies for callers, tokens for programs, nothing for strangers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Capability } from '#libs/wire';

import { operatorHeaders } from '../http/administration.js';
import { Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bucketPath, dataOf, makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { FilePlace, type PlacedFile, localPlace } from './stored-files.js';

const denied = [403, '42501', 'You do not have permission to perform this action.'];

let deployment: Deployment;
let project: ProjectUnderTest;
let other: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let ben: SignedIn;
/** Files of Ada in a private bucket and in a public one. */
let hidden: PlacedFile;
let open: PlacedFile;
let unlisted: PlacedFile;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  other = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  ben = await project.signUp('ben@example.org');
  await makeBucket(project, 'closed');
  await makeBucket(project, 'open', { public: true });
  await makeBucket(other, 'open', { public: true });
  hidden = await adasFile('closed', 'hidden.txt');
  open = await adasFile('open', 'open.txt', 'public');
  unlisted = await adasFile('open', 'unlisted.txt');
}, 60_000);
afterAll(() => deployment.close());

function adasFile(bucket: string, key: string, visibility: 'public' | 'private' = 'private') {
  return place.put({ bucket, key, visibility, ownerId: ada.id });
}

/** Every route of a stored file by which callers reach it. */
function routesOf({ id, bucket, key }: PlacedFile): readonly Call[] {
  return [
    { path: `/api/files/${id}` },
    { path: `/api/files/${id}/raw` },
    { method: 'HEAD', path: `/api/files/${id}/raw` },
    { path: `/api/files/${id}/url` },
    { path: `/api/files/object/${bucket}/${key}` },
    { path: `/api/files/object-info/${bucket}/${key}` },
    { path: `/api/files/object-url/${bucket}/${id}` },
    { method: 'PATCH', path: `/api/files/${id}`, body: { metadata: { a: 1 } } },
    { method: 'POST', path: '/api/files/copy', body: { bucket, from: key, to: 'taken.txt' } },
    { method: 'POST', path: '/api/files/move', body: { bucket, from: id, to: 'taken.txt' } },
    { method: 'DELETE', path: `/api/files/${id}` },
    { method: 'DELETE', path: `/api/files/object/${bucket}/${key}` },
  ];
}

async function statuses(calls: readonly Call[], send: (call: Call) => Promise<Reply>) {
  const found = [];
  // One after the other: some of them change the file.
  for (const call of calls) found.push((await send(call)).status);
  return found;
}

const fileIds = async () =>
  (await rowsIn(project, 'select id, key, updated_at from storage.stored_files order by id')).map(
    (row) => JSON.stringify(row),
  );

describe('strangers', () => {
  const more: readonly Call[] = [
    { path: '/api/files/list/open' },
    { method: 'POST', path: '/api/files/remove', body: { bucket: 'open', paths: ['open.txt'] } },
  ];

  test.each([
    { name: 'nobody', headers: () => ({}) },
    { name: 'an invalid session', headers: () => ({ authorization: 'Bearer nonsense' }) },
    { name: 'the publishable key', headers: () => ({ apikey: project.publishableKey }) },
    {
      name: 'the secret key in the place of nobody',
      headers: () => ({ apikey: project.secretKey, 'x-service-impersonate': 'anon' }),
    },
  ])('/api/files/* requires a signed-in user: $name gets 401', async ({ headers }) => {
    const before = await fileIds();
    const calls = [...routesOf(open), ...more];
    const found = await statuses(calls, (call) => project.send({ ...call, headers: headers() }));
    expect(new Set(found)).toEqual(new Set([401]));
    expect(await fileIds()).toEqual(before);
  });

  test('nothing of another project opens a file', async () => {
    const eve = await other.signUp('eve@example.org');
    const calls = [...routesOf(open), ...routesOf(hidden)];
    const before = await fileIds();
    // Its session is none here, its secret key is refused, and its own users meet no file of this name.
    for (const send of [
      (call: Call) => project.as(eve, call),
      (call: Call) => project.send({ ...call, headers: { apikey: other.secretKey } }),
    ]) {
      expect(new Set(await statuses(calls, send))).toEqual(new Set([401]));
    }
    const theirs = await statuses(calls, (call) => other.as(eve, call));
    expect(new Set(theirs)).toEqual(new Set([404]));
    expect(await fileIds()).toEqual(before);
  });
});

test('operators need content.read to read and content.write to change', async () => {
  const { id, bucket, key } = await adasFile('closed', 'for-operators.txt');
  const as = (capabilities: readonly Capability[], call: Call) =>
    project.send({ ...call, headers: operatorHeaders(deployment, project, capabilities) });
  const read = { path: `/api/files/${id}/raw` };
  const readOfBucket = { path: `/api/storage/${bucket}/files/${key}` };
  const deletions = [
    { method: 'DELETE', path: `/api/storage/${bucket}/files/${key}` },
    { method: 'DELETE', path: `/api/files/${id}` },
  ];
  for (const call of [read, readOfBucket]) {
    expect((await as(['settings.manage'], call)).status).toBe(403);
    expect((await as(['content.read'], call)).status).toBe(200);
  }
  for (const call of deletions) expect((await as(['content.read'], call)).status).toBe(403);
  const found = await statuses(deletions, (call) => as(['content.write'], call));
  expect(found).toEqual([200, 404]);
});

describe('policies that every project has', () => {
  test('owners read their files, others only what is public in a public bucket', async () => {
    const reads = (file: PlacedFile) => routesOf(file).slice(0, 7);
    const adas = [...reads(hidden), ...reads(open), ...reads(unlisted)];
    expect(new Set(await statuses(adas, (call) => project.as(ada, call)))).toEqual(new Set([200]));
    const bens = (file: PlacedFile) => statuses(reads(file), (call) => project.as(ben, call));
    expect(new Set(await bens(open))).toEqual(new Set([200]));
    expect(new Set(await bens(hidden))).toEqual(new Set([404]));
    expect(new Set(await bens(unlisted))).toEqual(new Set([404]));
  });

  test('what others may not see they may not change: 404', async () => {
    const changes = routesOf(hidden).slice(7);
    const found = await statuses(changes, (call) => project.as(ben, call));
    expect(new Set(found)).toEqual(new Set([404]));
  });

  test.each([
    { name: 'change', call: (): Call | undefined => routesOf(open)[7] },
    { name: 'move', call: (): Call | undefined => routesOf(open)[9] },
    { name: 'delete', call: (): Call | undefined => routesOf(open)[10] },
    { name: 'delete by key', call: (): Call | undefined => routesOf(open)[11] },
  ])('what others see they may not $name: RLS denial', async ({ call }) => {
    const before = await fileIds();
    expect(refusalOf(await project.as(ben, call() ?? { path: '/' }))).toEqual(denied);
    expect(await fileIds()).toEqual(before);
  });

  test('a copy of what others see is ones own', async () => {
    const body = { bucket: 'open', from: open.id, to: 'copy-of-ben.txt' };
    const reply = await project.as(ben, { method: 'POST', path: '/api/files/copy', body });
    expect([reply.status, dataOf(reply)]).toMatchObject([201, { ownerId: ben.id }]);
  });

  test.each(['copy', 'move'])('%s does not replace a file of somebody else', async (verb) => {
    await place.put({ bucket: 'open', key: `${verb}.txt`, ownerId: ben.id });
    const before = await fileIds();
    for (const to of [open.key, unlisted.key]) {
      const body = { bucket: 'open', from: `${verb}.txt`, to, upsert: true };
      const reply = await project.as(ben, { method: 'POST', path: `/api/files/${verb}`, body });
      expect(refusalOf(reply)).toEqual(denied);
    }
    expect(await fileIds()).toEqual(before);
  });

  test('remove deletes ones own and leaves the rest', async () => {
    const own = await place.put({ bucket: 'open', key: 'bens.txt', ownerId: ben.id });
    const paths = ['bens.txt', open.key, unlisted.id, 'nothing.txt', open.id];
    const body = { bucket: 'open', paths };
    const reply = await project.as(ben, { method: 'POST', path: '/api/files/remove', body });
    expect([reply.status, dataOf(reply)]).toMatchObject([200, [{ id: own.id }]]);
    expect(dataOf(reply)).toHaveLength(1);
  });

  test('the secret key meets no policy; in the place of a user it meets theirs', async () => {
    const path = `/api/files/${hidden.id}/raw`;
    const asUser = (user: SignedIn): Call => ({
      path,
      headers: { 'x-service-impersonate': user.id },
    });
    expect((await project.asService({ path })).status).toBe(200);
    expect((await project.asService(asUser(ada))).status).toBe(200);
    expect((await project.asService(asUser(ben))).status).toBe(404);
  });
});

describe('policies of the project', () => {
  beforeAll(async () => {
    await makeBucket(project, 'team');
    await project.sql(`
      create policy team_read on storage.files for select to authenticated using (bucket = 'team');
      create policy team_insert on storage.files as restrictive for insert to authenticated
        with check (bucket <> 'team' or starts_with(key, 'shared/'));
      create policy team_update on storage.files for update to authenticated
        using (bucket = 'team') with check (starts_with(key, 'shared/') and not user_metadata ? 'locked');
    `);
  });

  const shared = (key: string) => place.put({ bucket: 'team', key });

  test('let users read and change what is not theirs', async () => {
    const { id } = await shared('shared/plan.txt');
    expect((await project.as(ben, { path: `/api/files/${id}/raw` })).status).toBe(200);
    const change = {
      method: 'PATCH',
      path: `/api/files/${id}`,
      body: { metadata: { seen: true } },
    };
    const reply = await project.as(ben, change);
    expect([reply.status, dataOf(reply)]).toMatchObject([200, { metadata: { seen: true } }]);
  });

  test.each([
    { name: 'a move out of what they cover', verb: 'move', to: 'private/plan.txt', status: 403 },
    { name: 'a move within', verb: 'move', to: 'shared/moved.txt', status: 200 },
    { name: 'a copy out of what they cover', verb: 'copy', to: 'private/plan.txt', status: 403 },
    { name: 'a copy within', verb: 'copy', to: 'shared/copied.txt', status: 201 },
  ])('decide about $name: $status', async ({ verb, to, status }) => {
    const { id } = await shared(`shared/${verb}-${status}.txt`);
    const body = { bucket: 'team', from: id, to };
    const reply = await project.as(ben, { method: 'POST', path: `/api/files/${verb}`, body });
    expect(reply.status).toBe(status);
  });

  test('decide about metadata and deleting', async () => {
    const { id } = await shared('shared/firm.txt');
    const body = { metadata: { locked: true } };
    const lock = await project.as(ben, { method: 'PATCH', path: `/api/files/${id}`, body });
    expect(refusalOf(lock)).toEqual(denied);
    const end = await project.as(ben, { method: 'DELETE', path: `/api/files/${id}` });
    expect(refusalOf(end)).toEqual(denied);
  });
});

describe('/api/storage/:slug/files', () => {
  const token = async (slug: string, kind: string) => {
    const body = { name: kind, kind };
    const reply = await project.asService({
      method: 'POST',
      path: bucketPath(slug, '/tokens'),
      body,
    });
    const { token: shown } = dataOf(reply) as { readonly token: string }; // Shown by this answer.
    return { 'x-bucket-token': shown };
  };
  const nobody = async () => ({});

  test.each([
    { name: 'public bucket reads need none', path: 'open/files/open.txt', by: nobody, status: 200 },
    {
      name: 'a private file there is not told of',
      path: 'open/files/unlisted.txt',
      by: nobody,
      status: 404,
    },
    { name: 'nor is what there is not', path: 'open/files/nothing.txt', by: nobody, status: 404 },
    {
      name: 'a private bucket needs a token',
      path: 'closed/files/hidden.txt',
      by: nobody,
      status: 401,
    },
    { name: 'so does what it has not', path: 'closed/files/nothing.txt', by: nobody, status: 401 },
    {
      name: 'and a bucket that there is not',
      path: 'missing/files/hidden.txt',
      by: nobody,
      status: 401,
    },
    {
      name: 'or read token',
      path: 'closed/files/hidden.txt',
      by: () => token('closed', 'read'),
      status: 200,
    },
    {
      name: 'which tells what is missing',
      path: 'closed/files/no.txt',
      by: () => token('closed', 'read'),
      status: 404,
    },
    {
      name: 'which reads private files',
      path: 'open/files/unlisted.txt',
      by: () => token('open', 'read'),
      status: 200,
    },
    {
      name: 'of this bucket',
      path: 'closed/files/hidden.txt',
      by: () => token('open', 'read'),
      status: 401,
    },
    {
      name: 'not a write token',
      path: 'closed/files/hidden.txt',
      by: () => token('closed', 'write'),
      status: 403,
    },
    {
      name: 'not a session',
      path: 'closed/files/hidden.txt',
      by: async () => ({ authorization: `Bearer ${ada.token}` }),
      status: 401,
    },
    {
      name: 'or the secret key',
      path: 'closed/files/hidden.txt',
      by: async () => ({ apikey: project.secretKey }),
      status: 200,
    },
    {
      name: 'an invalid token',
      path: 'closed/files/hidden.txt',
      by: async () => ({ 'x-bucket-token': 'svc_bkt_x' }),
      status: 401,
    },
  ])('GET: $name: $status', async ({ path, by, status }) => {
    const headers = await by();
    for (const method of ['GET', 'HEAD']) {
      const reply = await project.send({ method, path: `/api/storage/${path}`, headers });
      expect(reply.status).toBe(status);
      expect(reply.text.includes('content of') && status !== 200).toBe(false);
    }
  });

  test('the id names the file in its own bucket only', async () => {
    expect((await project.send({ path: `/api/storage/open/files/${open.id}` })).status).toBe(200);
    const elsewhere = `/api/storage/open/files/${hidden.id}`;
    const headers = await token('open', 'read');
    expect((await project.send({ path: elsewhere, headers })).status).toBe(404);
    expect((await project.asService({ path: elsewhere })).status).toBe(404);
  });

  test.each([
    { name: 'nobody', by: nobody, status: 401 },
    { name: 'a read token', by: () => token('open', 'read'), status: 403 },
    { name: 'a token of another bucket', by: () => token('closed', 'delete'), status: 401 },
    { name: 'the owner', by: async () => ({ authorization: `Bearer ${ada.token}` }), status: 401 },
    { name: 'a delete token', by: () => token('open', 'delete'), status: 200 },
    { name: 'the secret key', by: async () => ({ apikey: project.secretKey }), status: 200 },
  ])('DELETE requires delete token: $name gets $status', async ({ by, status }) => {
    const { id } = await place.put({ bucket: 'open', key: `doomed-${status}.txt`, upsert: true });
    const path = `/api/storage/open/files/doomed-${status}.txt`;
    const reply = await project.send({ method: 'DELETE', path, headers: await by() });
    expect(reply.status).toBe(status);
    const left = await rowsIn(project, 'select from storage.stored_files where id = $1', [id]);
    expect(left).toHaveLength(status === 200 ? 0 : 1);
  });
});
