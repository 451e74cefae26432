// Uploads in parts against a server that speaks TUS from memory: parts, faults at every place, pauses, reloads.
import { describe, expect, test } from 'vitest';

import type { Reply, Sent, Step } from '../../tests/recording-fetch.js';
import { storageClient } from '../../tests/storage-client.js';
import { memoryStorage } from '../storage.js';

const base = '/api/files/resumable';
const place = { path: 'a/b.txt', id: 'f1', fullPath: 'pics/a/b.txt' };
const fault = new TypeError('fetch failed');

/** What happens to a request, by its number among those with its method. */
type Trouble = (method: string, count: number) => 'before' | 'after' | Reply | undefined;

/** A server with one upload at a time, whose finished upload is known to `finalize` alone. */
function tusServer(trouble: Trouble = () => undefined) {
  const counts = new Map<string, number>();
  let received: string | undefined;
  let length = 0;
  let isFinished = false;
  const notFound = { status: 404, body: { message: 'No upload', code: 'UPLOAD_NOT_FOUND' } };
  const act = ({ method, path, headers }: Sent, body: string): Reply => {
    if (path === base) {
      received = '';
      length = Number(headers['upload-length']);
      isFinished = length === 0;
      return { status: 201, headers: { location: `http://elsewhere.test${base}/u1` } };
    }
    if (method === 'POST') return isFinished ? { body: { data: fileOf() } } : notFound;
    if (received === undefined || isFinished) return notFound;
    if (method === 'PATCH') {
      if (headers['upload-offset'] !== String(received.length)) return { status: 409 };
      received += body;
      isFinished = received.length === length;
    }
    const status = method === 'PATCH' ? 204 : 200;
    return { status, headers: { 'upload-offset': String(received.length) } };
  };
  const step = (sent: Sent, body: string): Reply => {
    const count = (counts.get(sent.method) ?? 0) + 1;
    counts.set(sent.method, count);
    const happens = trouble(sent.method, count);
    if (happens === 'before') throw fault;
    if (typeof happens === 'object') return happens;
    const reply = act(sent, body);
    if (happens === 'after') throw fault;
    return reply;
  };
  return { step, content: () => received, forget: () => (received = undefined) };
}

const fileOf = () => ({ id: 'f1', key: 'a/b.txt' });

function open(trouble?: Trouble, storage = memoryStorage()) {
  const server = tusServer(trouble);
  const again = () => {
    const opened = storageClient(
      [((sent) => server.step(sent, opened.bodies.at(-1) ?? '')) as Step],
      {
        storage,
      },
    );
    return opened;
  };
  const names = (sent: readonly Sent[]) =>
    sent.map(({ method, path, headers }) =>
      [method, path.replace(base, ''), headers['upload-offset']].filter(Boolean).join(' '),
    );
  return { ...again(), server, again, names };
}

const content = 'abcdefghij';
const fileWith = (text: string, lastModified = 1) =>
  new File([text], 'b.txt', { type: 'text/plain', lastModified });
const inParts = { chunkSize: 4 };

describe('an upload in parts', () => {
  test('is made, sent and turned into a file', async () => {
    const { files, server, sent, names } = open();
    const seen: number[] = [];
    const answer = await files.uploadResumable('a/b.txt', fileWith(content), {
      ...inParts,
      upsert: true,
      metadata: { ü: 1 },
      onProgress: ({ loaded }) => seen.push(loaded),
    });
    expect(answer).toEqual({ data: place, error: null });
    expect(server.content()).toBe(content);
    expect(names(sent)).toEqual([
      'POST',
      'PATCH /u1 0',
      'PATCH /u1 4',
      'PATCH /u1 8',
      'POST /api/files/u1/finalize',
    ]);
    expect(seen).toEqual([0, 4, 8, 10]);
    expect(sent[0]?.headers).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      authorization: 'Bearer tok',
    });
    const fields = (sent[0]?.headers['upload-metadata'] ?? '').split(',').map((field) => {
      const [name, value = ''] = field.split(' ');
      return [name, Buffer.from(value, 'base64').toString()];
    });
    expect(Object.fromEntries(fields)).toEqual({
      bucket: 'pics',
      path: 'a/b.txt',
      filename: 'b.txt',
      contentType: 'text/plain',
      upsert: 'true',
      metadata: '{"ü":1}',
    });
  });

  test.each([
    { name: 'text', body: content, type: 'text/plain;charset=utf-8' },
    { name: 'bytes', body: new Uint8Array(3), type: 'application/octet-stream' },
  ])('of $name says what it is', async ({ body, type }) => {
    const { files, sent } = open();
    await files.uploadResumable('a/b.txt', body);
    expect(sent[0]?.headers['upload-metadata']).toContain(`contentType ${btoa(type)}`);
  });

  test('of somebody who may not see the file is told by what is known', async () => {
    const { files } = open((method, count) =>
      method === 'POST' && count === 2 ? { status: 404 } : undefined,
    );
    const { data } = await files.uploadResumable('a/b.txt', fileWith(content));
    expect(data).toEqual({ path: 'a/b.txt', id: 'u1', fullPath: 'pics/a/b.txt' });
  });

  test('of nothing has no part', async () => {
    const { files, sent, names } = open();
    expect((await files.uploadResumable('a/b.txt', '')).data).toEqual(place);
    expect(names(sent)).toEqual(['POST', 'POST /api/files/u1/finalize']);
  });

  test.each<{ readonly name: string; readonly trouble: Trouble; readonly requests: string }>([
    {
      name: 'a part did not arrive',
      trouble: (method, count) => (method === 'PATCH' && count === 2 ? 'before' : undefined),
      requests: 'POST,PATCH 0,PATCH 4,HEAD,PATCH 4,PATCH 8,POST',
    },
    {
      name: 'a part arrived, but the answer was lost',
      trouble: (method, count) => (method === 'PATCH' && count === 2 ? 'after' : undefined),
      requests: 'POST,PATCH 0,PATCH 4,HEAD,PATCH 8,POST',
    },
    {
      name: 'the last answer was lost',
      trouble: (method, count) => (method === 'PATCH' && count === 3 ? 'after' : undefined),
      requests: 'POST,PATCH 0,PATCH 4,PATCH 8,HEAD,POST',
    },
    {
      name: 'the server cannot be asked at once either',
      trouble: (method, count) =>
        (method === 'PATCH' && count === 1) || (method === 'HEAD' && count < 3)
          ? 'before'
          : undefined,
      requests: 'POST,PATCH 0,HEAD,HEAD,HEAD,PATCH 0,PATCH 4,PATCH 8,POST',
    },
    {
      name: 'the part before is still being written',
      trouble: (method, count) =>
        method === 'PATCH' && count === 1 ? { status: 423, body: 'locked' } : undefined,
      requests: 'POST,PATCH 0,HEAD,PATCH 0,PATCH 4,PATCH 8,POST',
    },
    {
      name: 'the answer of finalize was lost',
      trouble: (method, count) => (method === 'POST' && count === 2 ? 'after' : undefined),
      requests: 'POST,PATCH 0,PATCH 4,PATCH 8,POST,POST',
    },
  ])('goes on by itself when $name', async ({ trouble, requests }) => {
    const { files, server, sent } = open(trouble);
    const { data } = await files.uploadResumable('a/b.txt', fileWith(content), inParts);
    expect(data).toEqual(place);
    expect(server.content()).toBe(content);
    const said = sent.map(({ method, headers }) =>
      [method, headers['upload-offset']].filter(Boolean).join(' '),
    );
    expect(said.join(',')).toBe(requests);
  });

  test('what the server refuses is its error, after one attempt', async () => {
    const refused = { status: 413, body: { message: 'Full', code: 'QUOTA_EXCEEDED' } };
    const { files, sent } = open((method) => (method === 'PATCH' ? refused : undefined));
    const { error } = await files.uploadResumable('a/b.txt', fileWith(content));
    expect(error).toMatchObject({ status: 413, code: 'QUOTA_EXCEEDED' });
    expect(sent.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  test('a server that takes nothing is an error, not an upload without end', async () => {
    const nothing = { status: 204, headers: { 'upload-offset': '0' } };
    const { files } = open((method, count) => {
      if (method !== 'PATCH') return undefined;
      return count < 20 ? nothing : { status: 400, body: 'too often' };
    });
    const soon = AbortSignal.timeout(300);
    const { error } = await files.uploadResumable('a/b.txt', fileWith(content), { signal: soon });
    expect(error?.status).toBe(0);
  });

  test('a file that somebody else put there meanwhile is the error, not that the upload ended', async () => {
    const taken = { status: 409, body: { message: 'Taken', code: 'FILE_EXISTS' } };
    const { files, server } = open((method, count) => {
      if (method !== 'PATCH' || count < 3) return undefined;
      server.forget();
      return taken;
    });
    const { error } = await files.uploadResumable('a/b.txt', fileWith(content), inParts);
    expect(error).toMatchObject({ status: 409, code: 'FILE_EXISTS' });
  });
});

describe('an upload that was paused', () => {
  /** Ends the call when so much has arrived. */
  async function pausedAt(offset: number, given: Blob, storage = memoryStorage()) {
    const opened = open(undefined, storage);
    const pause = new AbortController();
    const { error } = await opened.files.uploadResumable('a/b.txt', given, {
      ...inParts,
      signal: pause.signal,
      onProgress: ({ loaded }) => loaded === offset && pause.abort(),
    });
    expect(error?.cause).toMatchObject({ name: 'AbortError' });
    expect(opened.server.content()).toBe(content.slice(0, offset));
    return opened;
  }

  test('goes on with the same file in a client of the same storage', async () => {
    const { again, server, names } = await pausedAt(4, fileWith(content));
    const { files, sent } = again();
    expect((await files.uploadResumable('a/b.txt', fileWith(content), inParts)).data).toEqual(
      place,
    );
    expect(names(sent).slice(0, 2)).toEqual(['HEAD /u1', 'PATCH /u1 4']);
    expect(server.content()).toBe(content);
  });

  test('goes on with the same blob, in this program', async () => {
    const blob = new Blob([content]);
    const { again, server, names } = await pausedAt(8, blob);
    const { files, sent } = again();
    expect((await files.uploadResumable('a/b.txt', blob, inParts)).data).toEqual(place);
    expect(names(sent).slice(0, 2)).toEqual(['HEAD /u1', 'PATCH /u1 8']);
    expect(server.content()).toBe(content);
  });

  test.each([
    {
      name: 'another blob of the same size',
      first: new Blob([content]),
      other: new Blob(['ABCDEFGHIJ']),
    },
    {
      name: 'a file that was changed',
      first: fileWith(content, 1),
      other: fileWith('ABCDEFGHIJ', 2),
    },
    { name: 'a longer file', first: fileWith(content), other: fileWith('ABCDEFGHIJKL') },
  ])('begins anew with $name', async ({ first, other }) => {
    const { again, server, names } = await pausedAt(4, first);
    const { files, sent } = again();
    expect((await files.uploadResumable('a/b.txt', other)).data).toEqual(place);
    expect(names(sent)[0]).toBe('POST');
    expect(server.content()).toBe(await other.text());
  });

  test('goes on with content that the caller names', async () => {
    const named = { ...inParts, fingerprint: 'sha256-1' };
    const storage = memoryStorage();
    const first = open(
      (method, count) => (method === 'PATCH' && count > 1 ? { status: 401 } : undefined),
      storage,
    );
    expect((await first.files.uploadResumable('a/b.txt', content, named)).error?.status).toBe(401);
    const { files, sent } = first.again();
    await files.uploadResumable('a/b.txt', content, named);
    expect(sent[0]?.method).toBe('HEAD');
  });

  test('begins anew when the server knows it no more', async () => {
    const { again, server, names } = await pausedAt(4, fileWith(content));
    server.forget();
    const { files, sent } = again();
    expect((await files.uploadResumable('a/b.txt', fileWith(content))).data).toEqual(place);
    expect(names(sent).slice(0, 3)).toEqual(['HEAD /u1', 'POST /api/files/u1/finalize', 'POST']);
  });

  test('is forgotten once it is a file', async () => {
    const { again, names, files } = open();
    await files.uploadResumable('a/b.txt', fileWith(content));
    const next = again();
    await next.files.uploadResumable('a/b.txt', fileWith(content));
    expect(names(next.sent)[0]).toBe('POST');
  });

  test('a storage that keeps nothing is no reason not to upload', async () => {
    const session = memoryStorage();
    const storage = {
      ...session,
      setItem: (key: string, value: string) => {
        if (key.includes('.upload.')) throw new Error('full');
        return session.setItem(key, value);
      },
    };
    const { files, server } = open(undefined, storage);
    expect((await files.uploadResumable('a/b.txt', fileWith(content))).data).toEqual(place);
    expect(server.content()).toBe(content);
  });
});
