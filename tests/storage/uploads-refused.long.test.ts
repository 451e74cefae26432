// Uploads whose bytes nobody could read later, or that are not whole, are refused, and leave nothing.
import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket, makeToken, refusalOf, rowsIn } from './bucket-rows.js';
import { fetchBytes, localPlace } from './stored-files.js';
import { uploadState } from './stored-bytes.js';
import { TusClient } from './tus-requests.js';
import { asUser, field, file, formOf, type FormPart, sendBytes } from './uploads-http.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let token: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'docs');
  ({ token } = await makeToken(project, 'docs', { kind: 'write' }));
  await localPlace(deployment, project).put({ bucket: 'docs', key: 'a', ownerId: ada.id });
}, 60_000);
afterAll(() => deployment.close());

const keys = async () => (await rowsIn(project, 'select key from storage.stored_files')).map(keyOf);
const keyOf = ({ key }: Record<string, unknown>) => key;

async function expectNothingStored(): Promise<void> {
  expect(await keys()).toEqual(['a']);
  expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
}

describe('a form that is cut off inside its file', () => {
  const kept = 20_000;
  const forms: readonly { name: string; parts: readonly FormPart[] }[] = [
    { name: 'a small one', parts: [field('bucket', 'docs'), file('x'.repeat(kept + 100))] },
    { name: 'a large one', parts: [field('bucket', 'docs'), file(randomBytes(400_000))] },
    {
      name: 'a large one whose fields come behind',
      parts: [file(randomBytes(400_000)), field('bucket', 'docs')],
    },
  ];
  const cuts = [
    { cut: 'in its first bytes', at: () => kept },
    { cut: 'in the middle', at: (length: number) => Math.round(length * 0.6) },
    { cut: 'before the last boundary', at: (length: number) => length - 70 },
  ];
  const cases = forms.flatMap((form) => cuts.map((cut) => ({ ...form, ...cut })));

  test.each(cases)('$name, $cut, is 400', async ({ parts, at }) => {
    const { headers, body } = formOf(...parts);
    const reply = await sendBytes(project, {
      path: '/api/files/',
      headers: { ...headers, ...asUser(ada) },
      body: body.subarray(0, at(body.length)),
    });
    const message = 'The form cannot be read: it ends before its closing boundary';
    expect(refusalOf(reply)).toEqual([400, 'MULTIPART_INVALID', message]);
    await expectNothingStored();
  });
});

describe('headers that change what the body means', () => {
  const ways = [
    { way: 'PUT', method: 'PUT', path: '/api/files/object/docs/b', credential: () => asUser(ada) },
    {
      way: 'POST with a token',
      method: 'POST',
      path: '/api/storage/docs/upload?path=b',
      credential: () => ({ 'x-bucket-token': token }),
    },
  ];
  const headers = [
    {
      header: { 'content-range': 'bytes 0-3/10' },
      refusal: [400, 'INVALID_UPLOAD_HEADER', expect.stringMatching(/^Content-Range: /)],
    },
    {
      header: { 'content-encoding': 'gzip' },
      refusal: [415, 'CONTENT_ENCODING_NOT_SUPPORTED', expect.stringMatching(/Content-Encoding/)],
    },
    {
      header: { 'content-encoding': 'identity, br' },
      refusal: [415, 'CONTENT_ENCODING_NOT_SUPPORTED', expect.stringMatching(/Content-Encoding/)],
    },
  ];
  const cases = ways.flatMap((way) => headers.map((one) => ({ ...way, ...one })));

  test.each(cases)('$way with $header is refused', async (sent) => {
    const { method, path, credential, header, refusal } = sent;
    const given = { 'content-type': 'text/plain', ...credential(), ...header };
    const reply = await sendBytes(project, { method, path, headers: given, body: 'abcd' });
    expect(refusalOf(reply)).toEqual(refusal);
    if (reply.status === 415) expect(reply.headers['accept-encoding']).toBe('identity');
    await expectNothingStored();
  });

  test('a part of an upload in parts with an encoding is refused, and its offset stays', async () => {
    const client = new TusClient(project, asUser(ada));
    const id = await client.begin(4, { bucket: 'docs', path: 'b' });
    const reply = await client.patch(id, 0, 'abcd', { 'content-encoding': 'gzip' });
    expect([reply.status, await client.offset(id)]).toEqual([415, 0]);
    await client.ask('DELETE', id);
  });

  test('the encoding identity is none', async () => {
    const reply = await sendBytes(project, {
      method: 'PUT',
      path: '/api/files/object/docs/a?upsert=true',
      headers: { ...asUser(ada), 'content-encoding': 'identity' },
      body: 'abcd',
    });
    expect(reply.status).toBe(200);
  });
});

describe('a path that ends with a slash', () => {
  const paths = [
    { method: 'PUT', path: '/api/files/object/docs/a/' },
    { method: 'PUT', path: '/api/files/object/docs/new/' },
    { method: 'PUT', path: '/api/files/object/docs/new/?upsert=true' },
    { method: 'GET', path: '/api/files/object/docs/a/' },
    { method: 'DELETE', path: '/api/files/object/docs/a/' },
    { method: 'GET', path: '/api/files/object-info/docs/a/' },
    { method: 'GET', path: '/api/files/object-url/docs/a/' },
    { method: 'GET', path: '/api/storage/docs/files/a/' },
    { method: 'DELETE', path: '/api/storage/docs/files/a/' },
  ];

  test.each(paths)('$method $path names no file', async ({ method, path }) => {
    const reply = await sendBytes(project, { method, path, headers: asUser(ada) });
    const message = 'The object key is not valid: it has an empty segment';
    expect(refusalOf(reply)).toEqual([400, 'INVALID_OBJECT_KEY', message]);
    expect(await keys()).toEqual(['a']);
  });

  test('HEAD says the same without a body', async () => {
    const headers = asUser(ada);
    const call = { method: 'HEAD', path: '/api/files/object/docs/a/', headers };
    expect((await fetchBytes(project, call)).status).toBe(400);
  });
});
