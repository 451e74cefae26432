// Access tokens of buckets: how they are made, and how far and how long they reach.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { bucketPath, dataOf, makeBucket, makeToken, refusalOf, rowsIn } from './bucket-rows.js';

let deployment: Deployment;
let project: ProjectUnderTest;
const ask = (call: Call): Promise<Reply> => project.asService(call);

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await makeBucket(project, 'papers');
});
afterAll(() => deployment.close());

/** Tokens and entries of the log: what a refused request must not add to. */
const traces = () =>
  rowsIn(
    project,
    `select (select json_agg(t) from storage.access_tokens t) as tokens,
       (select count(*) from platform.audit_log) as entries`,
  );

const tokens = bucketPath('papers', '/tokens');
/** What a token gets for a file that is not there: 404 where it opens the bucket. */
const tryToken = async (token: string, slug = 'papers', method = 'GET') => {
  const headers = { 'x-bucket-token': token };
  const path = `/api/storage/${slug}/files/none.txt`;
  return refusalOf(await project.send({ method, path, headers })).slice(0, 2);
};

test('are shown once and stored as their hash', async () => {
  const reply = await ask({
    method: 'POST',
    path: tokens,
    body: { name: 'door', kind: 'write', expiresIn: 60 },
  });
  expect(reply.status).toBe(201);
  expect(reply.headers['cache-control']).toBe('no-store');
  const { token, ...view } = asRecord(dataOf(reply));
  expect(token).toMatch(/^svc_bkt_[\w-]{43}$/);
  expect(view).toEqual({
    id: expect.any(String),
    name: 'door',
    kind: 'write',
    start: String(token).slice(0, 12),
    expiresAt: expect.any(String),
    lastUsedAt: null,
    createdAt: expect.any(String),
  });
  const seconds = Date.parse(String(view['expiresAt'])) - Date.parse(String(view['createdAt']));
  expect(seconds).toBe(60_000);
  const list = await ask({ path: tokens });
  expect(dataOf(list)).toContainEqual(view);
  expect(list.text).not.toContain(String(token));
  const stored = await rowsIn(
    project,
    `select t::text, token_hash = sha256($1) as is_hash from storage.access_tokens t where id = $2`,
    [Buffer.from(String(token)), view['id']],
  );
  expect(stored[0]).toMatchObject({ is_hash: true });
  expect(JSON.stringify(stored)).not.toContain(String(token).slice(12));
});

test.each([
  { body: { kind: 'read' }, field: 'name' },
  { body: { name: '', kind: 'read' }, field: 'name' },
  { body: { name: 'a'.repeat(101), kind: 'read' }, field: 'name' },
  { body: { name: 'a\0', kind: 'read' }, field: 'name' },
  { body: { name: 'n' }, field: 'kind' },
  { body: { name: 'n', kind: 'admin' }, field: 'kind' },
  { body: { name: 'n', kind: 'read', expiresIn: 59 }, field: 'expiresIn' },
  { body: { name: 'n', kind: 'read', expiresIn: 315_360_001 }, field: 'expiresIn' },
  { body: { name: 'n', kind: 'read', expiresIn: null }, field: 'expiresIn' },
  { body: { name: 'n', kind: 'read', token: 'svc_bkt_mine' }, field: 'token' },
])('$body is refused for its $field', async ({ body, field }) => {
  const before = await traces();
  const reply = await ask({ method: 'POST', path: tokens, body });
  expect(refusalOf(reply)).toEqual([400, expect.any(String), expect.stringContaining(field)]);
  expect(await traces()).toEqual(before);
});

test('end with the next request when they are deleted', async () => {
  const { id, token } = await makeToken(project, 'papers', { kind: 'read' });
  expect(await tryToken(token)).toEqual([404, 'FILE_NOT_FOUND']);
  expect((await ask({ method: 'DELETE', path: `${tokens}/${id}` })).status).toBe(204);
  expect(await tryToken(token)).toEqual([401, 'INVALID_BUCKET_TOKEN']);
  expect(refusalOf(await ask({ method: 'DELETE', path: `${tokens}/${id}` }))[1]).toBe(
    'TOKEN_NOT_FOUND',
  );
});

test('end with the next request when their time is over', async () => {
  const { id, token } = await makeToken(project, 'papers', { kind: 'delete', expiresIn: 3600 });
  expect(await tryToken(token, 'papers', 'DELETE')).toEqual([404, 'FILE_NOT_FOUND']);
  await rowsIn(project, 'update storage.access_tokens set expires_at = now() where id = $1', [id]);
  expect(await tryToken(token, 'papers', 'DELETE')).toEqual([401, 'INVALID_BUCKET_TOKEN']);
});

test('open no other bucket, and are not found through one', async () => {
  await makeBucket(project, 'letters');
  const { id, token } = await makeToken(project, 'papers', { kind: 'read' });
  expect(await tryToken(token, 'letters')).toEqual([401, 'INVALID_BUCKET_TOKEN']);
  for (const wrong of [
    bucketPath('letters', `/tokens/${id}`),
    `${tokens}/none`,
    bucketPath('nowhere', `/tokens/${id}`),
  ]) {
    expect(refusalOf(await ask({ method: 'DELETE', path: wrong }))[1]).toBe('TOKEN_NOT_FOUND');
  }
  expect(await tryToken(token)).toEqual([404, 'FILE_NOT_FOUND']);
  for (const method of ['GET', 'POST']) {
    const body = method === 'POST' ? { name: 'n', kind: 'read' } : undefined;
    const reply = await ask({ method, path: bucketPath('nowhere', '/tokens'), body });
    expect(refusalOf(reply)[1]).toBe('BUCKET_NOT_FOUND');
  }
});

test('are good for what they are for', async () => {
  const { token } = await makeToken(project, 'papers', { kind: 'write' });
  expect(await tryToken(token)).toEqual([403, 'BUCKET_TOKEN_KIND']);
  const list = dataOf(await ask({ path: tokens })) as {
    start: string;
    lastUsedAt: string | null;
  }[]; // The list of tokens.
  expect(list.find(({ start }) => start === token.slice(0, 12))?.lastUsedAt).toEqual(
    expect.any(String),
  );
});
