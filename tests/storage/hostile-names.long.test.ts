// Statements on files find the functions, operators and types of PostgreSQL, whatever the owner of a project has
// planted under their names, and wherever a search path leads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sweepStorage } from '#libs/project-runtime';
import { waitFor } from '#libs/testing';

import { saveSettings } from '../isolation/neighbors.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bucketPath, bucketsPath, dataOf, makeBucket, makeToken } from './bucket-rows.js';
import { callsFromFiles, misleadSessions, plant } from './hostile-names.js';
import { fetchBytes, pathOf, type StoreUnderTest, storesHere } from './stored-files.js';
import { TusClient } from './tus-requests.js';
import { asUser, fileIn, file, field, formOf, sendBytes } from './uploads-http.js';
import { openUploadServer, type UploadServer } from './uploads-runtime.js';

const object = '/api/files/object/docs';
const relocation = '/api/admin/storage/relocation';
const presignBody = { bucket: 'docs', filename: 'p.txt', size: 4, mime: 'text/plain' };
const allTypes = { 'content-type': 'text/plain' };

describe.each(storesHere())('in a project full of siblings, with the driver $kind', (place) => {
  let store: StoreUnderTest;
  let receiver: HttpRecorder;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let beside: UploadServer;
  let ada: SignedIn;
  let straighten: () => void;

  beforeAll(async () => {
    straighten = misleadSessions();
    [store, receiver] = [await place.open(), await openHttpRecorder()];
    const outbound = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}` };
    deployment = await Deployment.open({ env: { ...store.env, ...outbound } });
    project = await deployment.createProject();
    await plant(project);
    ada = await project.signUp('ada@example.org');
    await makeBucket(project, 'docs');
    beside = await openUploadServer(deployment, project, 10_000, store.env);
  }, 120_000);
  afterAll(async () => {
    straighten();
    await beside.close();
    await deployment.close();
    await Promise.all([receiver.close(), store.close()]);
  }, 60_000);

  const put = async (key: string, content = `content of ${key}`) =>
    String(
      fileIn(
        await sendBytes(project, {
          method: 'PUT',
          path: `${object}/${key}?upsert=true`,
          headers: { ...asUser(ada), ...allTypes },
          body: content,
        }),
      )['id'],
    );
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await project.as(ada, {
      method,
      path,
      ...(body !== undefined && { body }),
    });
    return { status, data: text === '' ? undefined : asRecord(JSON.parse(text))['data'] };
  };
  const administer = async (method: string, path: string, body?: unknown) => {
    const call = { method, path, ...(body !== undefined && { body }) };
    const { status, text } = await project.asService(call);
    return { status, data: text === '' ? undefined : asRecord(JSON.parse(text))['data'] };
  };
  const read = async (path: string, headers: Readonly<Record<string, string>> = asUser(ada)) => {
    const { status, bytes } = await fetchBytes(project, { path, headers });
    return [status, bytes.toString('utf8')];
  };

  test('a statement that names no schema meets them', async () => {
    await beside.runtime.db.queryAsEngine(
      `select now(), 'a'::text from storage.buckets where slug = $1`,
      ['docs'],
    );
    const engine = project.login('engine');
    expect(await callsFromFiles(project)).toEqual(
      ['=', 'domain', 'now'].map((what) => ({ who: engine, what })),
    );
    await project.sql('truncate public.calls');
  });

  describe('no sibling is called, and the answers are right, when', () => {
    afterAll(() => project.sql('truncate public.calls'));
    const calledNone = async () => expect(await callsFromFiles(project)).toEqual([]);

    test('files are uploaded', async () => {
      const form = formOf(field('bucket', 'docs'), field('path', 'form.txt'), file('by form'));
      const byForm = await sendBytes(project, {
        path: '/api/files',
        headers: { ...form.headers, ...asUser(ada) },
        body: form.body,
      });
      expect(fileIn(byForm)).toMatchObject({ key: 'form.txt', size: 7, ownerId: ada.id });
      const id = await put('bytes.txt', 'first');
      expect(await put('bytes.txt', 'second')).toBe(id);
      const tus = new TusClient(project, asUser(ada));
      const upload = await tus.begin(8, { bucket: 'docs', path: 'tus.txt' });
      expect((await tus.patch(upload, 0, 'four')).status).toBe(204);
      expect(await tus.offset(upload)).toBe(4);
      expect((await tus.patch(upload, 4, 'more')).status).toBe(204);
      expect(await read(`${object}/tus.txt`)).toEqual([200, 'fourmore']);
      await calledNone();
    });

    test('files are read and listed', async () => {
      const id = await put('folder/read.txt', 'read me');
      expect(await read(`/api/files/${id}/raw`)).toEqual([200, 'read me']);
      expect(await read(`${object}/${id}`)).toEqual([200, 'read me']);
      expect(await read('/api/storage/docs/files/folder/read.txt', {})).toEqual([
        401,
        expect.any(String),
      ]);
      const lists = '/api/files/list/docs';
      for (const query of [
        '?search=READ&prefix=folder/',
        '?recursive=true&search=read&sortBy=size',
      ]) {
        expect(await ask('GET', lists + query)).toMatchObject({ status: 200, data: [{ id }] });
      }
      expect(
        await administer('GET', bucketPath('docs', '/files?search=read&recursive=true')),
      ).toMatchObject({
        data: [{ id, ownerId: ada.id }],
      });
      await calledNone();
    });

    test('files are copied, moved, changed and deleted', async () => {
      const id = await put('a.txt', 'content');
      const [from, inDocs] = ['a.txt', { bucket: 'docs' }];
      expect(await ask('POST', '/api/files/copy', { ...inDocs, from, to: 'b.txt' })).toMatchObject({
        data: { key: 'b.txt', size: 7 },
      });
      expect(await ask('POST', '/api/files/move', { ...inDocs, from, to: 'c.txt' })).toMatchObject({
        data: { id, key: 'c.txt' },
      });
      const metadata = { mood: 'good' };
      expect(await ask('PATCH', `/api/files/${id}`, { metadata })).toMatchObject({
        data: { metadata },
      });
      expect((await ask('DELETE', `/api/files/${id}`)).status).toBe(200);
      expect((await ask('DELETE', `/api/files/${id}`)).status).toBe(404);
      const paths = ['b.txt', await put('d.txt'), 'absent.txt'];
      const removed = await ask('POST', '/api/files/remove', { ...inDocs, paths });
      expect(removed.status).toBe(200);
      expect(await read(`${object}/d.txt`)).toEqual([404, expect.any(String)]);
      await calledNone();
    });

    test('links are made and followed', async () => {
      await saveSettings(project, 'storage', { signedLinks: true });
      const id = await put('linked.txt', 'linked');
      const { url } = asRecord((await ask('GET', `/api/files/${id}/url?expiresIn=60`)).data);
      if (place.kind === 's3') expect(await (await fetch(String(url))).text()).toBe('linked');
      else expect(await read(pathOf(url), {})).toEqual([200, 'linked']);
      await calledNone();
    });

    test('buckets, their tokens and their rules are administered', async () => {
      const made = await administer('POST', bucketsPath, { slug: 'more', quotaBytes: 100 });
      expect(made).toMatchObject({ status: 201, data: { slug: 'more' } });
      expect(await administer('PATCH', bucketPath('more'), { public: true })).toMatchObject({
        data: { public: true, quotaBytes: 100 },
      });
      const { data } = await administer('GET', bucketsPath);
      expect(data).toMatchObject([{ slug: 'docs' }, { slug: 'more' }]);
      const { id, token } = await makeToken(project, 'more', { kind: 'write', expiresIn: 3600 });
      const headers = { 'x-bucket-token': token, ...allTypes };
      const form = formOf(field('path', 'by token.txt'), file('by token'));
      const uploaded = await sendBytes(project, {
        path: '/api/storage/more/upload',
        headers: { ...headers, ...form.headers },
        body: form.body,
      });
      expect(fileIn(uploaded)).toMatchObject({ size: 8 });
      expect(await read('/api/storage/more/files/by%20token.txt', {})).toEqual([200, 'by token']);
      expect(await administer('GET', bucketPath('more', '/tokens'))).toMatchObject({
        data: [{ id }],
      });
      expect((await administer('DELETE', bucketPath('more', `/tokens/${id}`))).status).toBeLessThan(
        300,
      );
      expect(await administer('POST', bucketPath('more', '/recount'))).toMatchObject({
        status: 200,
      });
      expect((await administer('DELETE', bucketPath('more'))).status).toBe(409);
      await administer('POST', bucketPath('more', '/empty'));
      await waitFor(async () => {
        const emptying = await administer('GET', bucketPath('more', '/empty'));
        return asRecord(emptying.data)['state'] === 'done';
      });
      expect(await administer('GET', bucketPath('more'))).toMatchObject({ data: { fileCount: 0 } });
      expect((await administer('DELETE', bucketPath('more'))).status).toBe(200);
      await calledNone();
    });

    test('webhooks are administered and delivered', async () => {
      const hooks = bucketPath('docs', '/webhooks');
      const url = `${receiver.origin}/hook`;
      const made = await project.asService({
        method: 'POST',
        path: hooks,
        body: { url, events: ['uploaded'] },
      });
      expect(made.status).toBe(201);
      const hook = `${hooks}/${String(asRecord(dataOf(made))['id'])}`;
      expect((await administer('POST', `${hook}/rotate-secret`)).status).toBe(200);
      await put('told.txt');
      await waitFor(async () => receiver.requests.length === 1);
      const deliveries = async () => (await administer('GET', `${hook}/deliveries`)).data;
      await waitFor(async () => JSON.stringify(await deliveries()).includes('succeeded'));
      expect(await deliveries()).toMatchObject([{ event: 'uploaded', status: 'succeeded' }]);
      expect((await administer('PATCH', hook, { active: false })).status).toBe(200);
      expect((await administer('DELETE', hook)).status).toBeLessThan(300);
      await calledNone();
    });

    test('files are swept', async () => {
      const { runtime } = beside;
      const complaints: unknown[] = [];
      const counts = await sweepStorage({
        db: runtime.db,
        acquireStorage: () => runtime.files.acquire(),
        storageFolder: runtime.files.folder,
        now: Date.now,
        onError: (error) => complaints.push(error),
        signal: new AbortController().signal,
      });
      expect([counts.filesWithoutObject, complaints]).toEqual([0, []]);
      expect((await project.send({ path: '/api/health-check' })).status).toBe(200);
      await calledNone();
    });

    if (place.kind === 's3') testsOfS3();
    else testsOfLocal();

    function testsOfS3(): void {
      test('an upload goes past the server', async () => {
        const presigned = await ask('POST', '/api/files/presign', presignBody);
        const { uploadUrl, requiredHeaders, file: made } = asRecord(presigned.data);
        const headers = Object.entries(asRecord(requiredHeaders)).map(
          ([name, value]): [string, string] => [name, String(value)],
        );
        const sent = await fetch(String(uploadUrl), { method: 'PUT', headers, body: 'past' });
        expect(sent.status).toBeLessThan(300);
        const path = `/api/files/${String(asRecord(made)['id'])}/finalize`;
        for (let round = 0; round < 2; round++) {
          expect(await ask('POST', path)).toMatchObject({ data: { size: 4, ownerId: ada.id } });
        }
        await calledNone();
      });

      test('files are moved to the driver that they are in', async () => {
        expect((await administer('POST', relocation)).status).toBe(200);
        await waitFor(async () => {
          const move = await administer('GET', relocation);
          return asRecord(move.data)['state'] === 'done';
        });
        await calledNone();
      });
    }

    function testsOfLocal(): void {
      test('an upload past the server and a move to another driver are refused', async () => {
        expect((await ask('POST', '/api/files/presign', presignBody)).status).toBe(400);
        expect((await administer('POST', relocation)).status).toBe(400);
        await calledNone();
      });
    }
  });
});
