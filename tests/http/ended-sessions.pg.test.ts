// A bearer that is not valid runs as `anon`. The answer says so, whatever its status is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket } from '../storage/bucket-rows.js';
import { canvas } from '../storage/image-samples.js';
import { localPlace } from '../storage/stored-files.js';

const challenge = 'Bearer error="invalid_token"';
let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let ended: SignedIn;
const page = 'https://anywhere.example';

/** A public bucket with the file `a.txt`. */
async function putPublicFile(slug: string, fields: Record<string, unknown> = {}): Promise<void> {
  await makeBucket(project, slug, { public: true, ...fields });
  const path = `/api/files/object/${slug}/a.txt`;
  const headers = { 'content-type': 'text/plain' };
  const put = await project.asService({ method: 'PUT', path, headers, body: 'open' });
  expect(put.status).toBe(201);
}

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await project.signUp('ada@example.org');
  ended = await project.signUp('ended@example.org');
  const signOut = { method: 'POST', path: '/api/auth/sign-out', body: {} };
  expect((await project.as(ended, signOut)).status).toBe(200);
  const query = `create table open_notes (id int primary key);
    grant select on open_notes to anon, authenticated;
    create table closed_notes (id int primary key);
    grant select on closed_notes to authenticated;
    create function greeting() returns text language sql as $$ select 'hello' $$;`;
  await project.asService({ method: 'POST', path: '/api/admin/sql', body: { query } });
  const ruled = [{ origins: [page], methods: ['GET'], allowedHeaders: ['authorization'] }];
  await putPublicFile('plain');
  const dot = await canvas(1, 1).png().toBuffer();
  const place = localPlace(deployment, project);
  const image = { content: dot, mediaType: 'image/png', ownerId: ada.id };
  await place.put({ ...image, bucket: 'plain', key: 'a.png', visibility: 'public' });
  await putPublicFile('ruled', { cors: ruled });
});
afterAll(() => deployment.close());

const messages = [{ topic: 'room', event: 'news', payload: {} }];
const batch = { operations: [{ method: 'DELETE', model: 'closed_notes', query: 'id=eq.1' }] };
const calls: readonly (Call & { name: string })[] = [
  { name: 'a table', path: '/rest/v1/open_notes' },
  { name: 'a table that anon may not read', path: '/rest/v1/closed_notes' },
  { name: 'a function', method: 'POST', path: '/rest/v1/rpc/greeting', body: {} },
  { name: 'a batch', method: 'POST', path: '/rest/v1/batch', body: batch },
  { name: 'a list of files', path: '/api/files/list/docs' },
  { name: 'a file', path: '/api/files/object/docs/a.txt' },
  { name: 'a public file', path: '/api/files/object/plain/a.txt' },
  { name: 'a change of files', method: 'POST', path: '/api/files/remove', body: {} },
  { name: 'an image', path: '/storage/v1/render/image?bucket=plain&path=a.png&width=1' },
  { name: 'the description of the tables', path: '/rest/v1/' },
  { name: 'a broadcast', method: 'POST', path: '/api/realtime/broadcast', body: { messages } },
  { name: 'a route of administrators', path: '/api/admin/users' },
];

describe.each(calls)('$name', (call) => {
  const withBearer = (token: string) =>
    project.send({ ...call, headers: { authorization: `Bearer ${token}` } });

  test.each([
    { name: 'a token of no session', token: () => '0'.repeat(32) },
    { name: 'a signed token of no session', token: () => 'unknown.c2lnbmF0dXJl' },
    { name: 'the token of a session that has ended', token: () => ended.token },
  ])('says that $name is not valid', async ({ token }) => {
    const headers = { authorization: `Bearer ${token()}`, origin: page };
    const reply = await project.send({ ...call, headers });
    expect(reply.headers['www-authenticate']).toBe(challenge);
    expect(reply.headers['access-control-expose-headers']).toContain('www-authenticate');
    expect(reply.status).toBe((await project.send(call)).status);
  });

  test('says nothing of a valid session, and nothing without one', async () => {
    expect((await withBearer(ada.token)).headers['www-authenticate']).toBeUndefined();
    expect((await project.send(call)).headers['www-authenticate']).toBeUndefined();
  });
});

// These routes take tokens of the bucket and know no users: a session is not looked up, and the file is the same.
describe.each(['plain', 'ruled'])('a public file by the address of the bucket %s', (slug) => {
  const path = `/api/storage/${slug}/files/a.txt`;
  const read = (token: string) =>
    project.send({ path, headers: { authorization: `Bearer ${token}`, origin: page } });

  test('is served with the token of a session that has ended', async () => {
    const reply = await read(ended.token);
    expect([reply.status, reply.text]).toEqual([200, 'open']);
  });

  test('says what is not valid by itself, and pages may read that', async () => {
    const reply = await read('unknown.c2lnbmF0dXJl');
    expect([reply.status, reply.text]).toEqual([200, 'open']);
    expect(reply.headers['www-authenticate']).toBe(challenge);
    expect(reply.headers['access-control-expose-headers']).toContain('www-authenticate');
  });
});
