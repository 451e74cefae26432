// Uploads directly into the store: what is reserved, what the store is sent, and when a file is made of it.
import { describe, expect, test } from 'vitest';

import { fileOf, requestOf, storageClient } from '../../tests/storage-client.js';
import type { Step } from '../../tests/recording-fetch.js';

const presigned: Step = {
  status: 201,
  body: {
    data: {
      file: { id: 'f1', bucket: 'pics', key: 'a/b.png', status: 'reserved' },
      uploadUrl: 'http://store.test/x?sig=1',
      method: 'PUT',
      requiredHeaders: { 'content-type': 'image/png', 'if-none-match': '*' },
      expiresAt: '2030-01-01T00:00:00.000Z',
    },
  },
};
const signed = {
  signedUrl: 'http://store.test/x?sig=1',
  id: 'f1',
  path: 'a/b.png',
  headers: { 'content-type': 'image/png', 'if-none-match': '*' },
  expiresAt: '2030-01-01T00:00:00.000Z',
};
const finalized: Step = { body: { data: fileOf('a/b.png') } };
const place = { path: 'a/b.png', id: 'f1', fullPath: 'pics/a/b.png' };
const fault = new TypeError('fetch failed');

test('createSignedUploadUrl reserves the place', async () => {
  const { files, sent } = storageClient([presigned]);
  const options = { size: 5, contentType: 'image/png', upsert: true, metadata: { a: 1 } };
  expect(await files.createSignedUploadUrl('a/b.png', options)).toEqual({
    data: signed,
    error: null,
  });
  expect(sent.map(requestOf)).toEqual([
    {
      method: 'POST',
      target: '/api/files/presign',
      headers: { authorization: 'Bearer tok', 'content-type': 'application/json' },
      body: {
        filename: 'b.png',
        mime: 'image/png',
        bucket: 'pics',
        path: 'a/b.png',
        size: 5,
        upsert: true,
        metadata: { a: 1 },
      },
    },
  ]);
});

describe('uploadToSignedUrl', () => {
  test('the store learns nothing of the client, and the project makes a file of it', async () => {
    const { files, sent, bodies } = storageClient([{}, finalized], {
      key: 'svc_publishable_1',
      headers: { 'x-mine': '1' },
    });
    const seen: unknown[] = [];
    const onProgress = (progress: unknown) => seen.push(progress);
    expect(await files.uploadToSignedUrl(signed, 'hello', { onProgress })).toEqual({
      data: place,
      error: null,
    });
    expect(sent.map(requestOf)).toEqual([
      { method: 'PUT', target: '/x?sig=1', headers: signed.headers },
      {
        method: 'POST',
        target: '/api/files/f1/finalize',
        headers: { apikey: 'svc_publishable_1', 'x-mine': '1', authorization: 'Bearer tok' },
      },
    ]);
    expect(bodies).toEqual(['hello', '']);
    expect(seen).toEqual([{ loaded: 5, total: 5 }]);
  });

  test.each<{ readonly name: string; readonly steps: readonly Step[]; readonly sends: number }>([
    { name: 'the store was not reached', steps: [fault, {}, finalized], sends: 3 },
    {
      name: 'the store took it, but its answer was lost',
      steps: [fault, { status: 412 }, finalized],
      sends: 3,
    },
    { name: 'the answer of finalize was lost', steps: [{}, fault, finalized], sends: 3 },
  ])('goes on when $name', async ({ steps, sends }) => {
    const { files, sent } = storageClient(steps);
    expect((await files.uploadToSignedUrl(signed, 'hello')).data).toEqual(place);
    expect(sent).toHaveLength(sends);
  });

  test('an address that was used before is an error, and no file is made', async () => {
    const body = '<Error><Code>PreconditionFailed</Code><Message>It is there</Message></Error>';
    const { files, sent } = storageClient([{ status: 412, body }]);
    expect((await files.uploadToSignedUrl(signed, 'hello')).error).toMatchObject({
      status: 412,
      code: 'PreconditionFailed',
      message: 'It is there',
    });
    expect(sent).toHaveLength(1);
  });

  test('a store that answers in its own way is an error with what it said', async () => {
    const { files } = storageClient([{ status: 403, body: 'Go away' }]);
    expect((await files.uploadToSignedUrl(signed, 'hello')).error).toMatchObject({
      status: 403,
      code: '',
      message: 'Go away',
    });
  });

  test('what the project refuses is an error', async () => {
    const refused = { status: 409, body: { message: 'Shorter', code: 'UPLOAD_INCOMPLETE' } };
    const { files } = storageClient([{}, refused]);
    expect((await files.uploadToSignedUrl(signed, 'hello')).error).toMatchObject({
      status: 409,
      code: 'UPLOAD_INCOMPLETE',
    });
  });
});
