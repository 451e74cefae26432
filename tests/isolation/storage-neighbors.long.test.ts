// Whatever opens files of one project, tried on another that has the same buckets, the same keys and, where there is a
// store, the same store.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bucketPath, dataOf, makeBucket } from '../storage/bucket-rows.js';
import {
  fetchBytes,
  type FilePlace,
  localFolder,
  pathOf,
  storesHere,
  type StoreUnderTest,
} from '../storage/stored-files.js';
import { TusClient } from '../storage/tus-requests.js';
import { StoredState } from '../storage-proof/stored-state.js';
import { digestOf, saveSettings } from './neighbors.js';

/** A project with a file, and everything that opens it or something beside it. */
interface Side {
  readonly project: ProjectUnderTest;
  readonly place: FilePlace;
  readonly user: SignedIn;
  readonly content: string;
  readonly fileId: string;
  readonly tokens: Readonly<Record<'write' | 'read' | 'delete', string>>;
  readonly tokenId: string;
  readonly webhookId: string;
  /** Path and query of an address that this server has signed; of the local driver alone. */
  readonly link: string;
  readonly tus: TusClient;
  readonly tusId: string;
  /** An upload that waits to be finalized; of S3 alone. */
  readonly reservedId: string | undefined;
}

const path = 'same/key.txt';
const objectPath = `/api/files/object/docs/${path}`;
const bucketFilePath = `/api/storage/docs/files/${path}`;
const half = 'half an upload';

async function seedSide(
  deployment: Deployment,
  store: StoreUnderTest,
  name: string,
): Promise<Side> {
  const project = await deployment.createProject();
  await saveSettings(project, 'storage', { signedLinks: true });
  await makeBucket(project, 'docs');
  const user = await project.signUp('same@example.org');
  const content = `what only ${name} may read`;
  const put = { method: 'PUT', path: objectPath, headers: { 'content-type': 'text/plain' } };
  const fileId = idOf(await project.as(user, { ...put, body: content }));
  const admin = async (rest: string, body: object): Promise<Record<string, unknown>> =>
    asRecord(
      dataOf(await project.asService({ method: 'POST', path: bucketPath('docs', rest), body })),
    );
  const token = async (kind: string) => admin('/tokens', { name: kind, kind });
  const [write, read, remove] = [await token('write'), await token('read'), await token('delete')];
  const webhook = await admin('/webhooks', { url: 'https://example.org/hook', active: false });
  const tus = new TusClient(project, { authorization: `Bearer ${user.token}` });
  const url = await project.as(user, { path: `/api/files/${fileId}/url` });
  const place = await store.placeOf(deployment, project);
  const reserved = await project.as(user, {
    method: 'POST',
    path: '/api/files/presign',
    body: { filename: 'a', size: 4, mime: 'text/plain', bucket: 'docs', path: 'reserved' },
  });
  return {
    project,
    place,
    user,
    content,
    fileId,
    tokens: {
      write: String(write['token']),
      read: String(read['token']),
      delete: String(remove['token']),
    },
    tokenId: String(write['id']),
    webhookId: String(webhook['id']),
    link: pathOf(asRecord(dataOf(url))['url']),
    tus,
    tusId: await tus.begin(2 * half.length, { bucket: 'docs', path: 'tus.bin' }),
    reservedId: reserved.status === 201 ? idOf(reserved, 'file') : undefined,
  };
}

function idOf(reply: Reply, field?: string): string {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  const data = asRecord(dataOf(reply));
  return String((field === undefined ? data : asRecord(data[field]))['id']);
}

describe.each(storesHere())('two projects with files in one $kind store', ({ kind, open }) => {
  let store: StoreUnderTest;
  let deployment: Deployment;
  const sides = new Map<string, Side>();
  const side = (name: string): Side => {
    const found = sides.get(name);
    if (!found) throw new Error(`no side ${name}`);
    return found;
  };

  beforeAll(async () => {
    store = await open();
    deployment = await Deployment.open({ env: store.env });
    for (const name of ['a', 'b']) sides.set(name, await seedSide(deployment, store, name));
  }, 120_000);
  afterAll(async () => {
    await deployment.close();
    await store.close();
  }, 60_000);

  describe.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('what belongs to %s, on %s', (of, on) => {
    let before: unknown;
    beforeAll(async () => {
      before = await digestOf(side(on).project);
    });
    /** Refused so on the other project, and no content is told. */
    async function expectRefused(call: Call, status: number): Promise<void> {
      const reply = await side(on).project.send(call);
      expect({ call, status: reply.status }).toEqual({ call, status });
      expect(reply.text).not.toContain(side(on).content);
      expect(reply.text).not.toContain(side(of).content);
    }
    const service = () => ({ apikey: side(on).project.secretKey });

    test('tokens of a bucket open no bucket of the same name', async () => {
      for (const [name, token] of Object.entries(side(of).tokens)) {
        for (const headers of [{ 'x-bucket-token': token }, { authorization: `Bearer ${token}` }]) {
          const upload = `/api/storage/docs/upload?path=by-${name}&upsert=true`;
          await expectRefused({ path: bucketFilePath, headers }, 401);
          await expectRefused({ method: 'DELETE', path: bucketFilePath, headers }, 401);
          await expectRefused({ method: 'POST', path: upload, headers, body: 'x' }, 401);
          await expectRefused({ path: objectPath, headers }, 401);
        }
      }
    });

    test('tokens do open their own', async () => {
      const { project, tokens, content } = side(of);
      const headers = { 'x-bucket-token': tokens.read };
      const reply = await project.send({ path: bucketFilePath, headers });
      expect([reply.status, reply.text]).toEqual([200, content]);
    });

    test('keys and sessions of people with the same address open nothing', async () => {
      const { project, user } = side(of);
      const shown = [
        { authorization: `Bearer ${user.token}` },
        { cookie: user.cookie },
        { apikey: project.secretKey },
        { apikey: project.publishableKey },
      ];
      for (const headers of shown) {
        const { fileId } = side(on);
        for (const at of [objectPath, `/api/files/${fileId}`, `/api/files/${fileId}/raw`]) {
          await expectRefused({ path: at, headers }, 401);
          await expectRefused({ method: 'HEAD', path: at, headers }, 401);
        }
        await expectRefused(
          { method: 'PUT', path: `${objectPath}?upsert=true`, headers, body: 'x' },
          401,
        );
        await expectRefused({ method: 'DELETE', path: objectPath, headers }, 401);
      }
    });

    test('ids of files lead nowhere, whoever asks', async () => {
      const { fileId: id } = side(of);
      const headers = service();
      for (const at of [`/api/files/${id}`, `/api/files/${id}/raw`, `/api/files/${id}/url`]) {
        await expectRefused({ path: at, headers }, 404);
      }
      await expectRefused({ path: `/api/files/object/docs/${id}`, headers }, 404);
      await expectRefused({ path: `/storage/v1/render/image?id=${id}&width=10`, headers }, 404);
      await expectRefused({ method: 'DELETE', path: `/api/files/${id}`, headers }, 404);
      const change = { method: 'PATCH', path: `/api/files/${id}`, headers, body: { metadata: {} } };
      await expectRefused(change, 404);
      for (const deed of ['copy', 'move']) {
        const body = { bucket: 'docs', from: id, to: 'stolen', upsert: true };
        await expectRefused({ method: 'POST', path: `/api/files/${deed}`, headers, body }, 404);
      }
      const remove = { bucket: 'docs', paths: [id] };
      const reply = await side(on).project.send({
        method: 'POST',
        path: '/api/files/remove',
        headers,
        body: remove,
      });
      expect(dataOf(reply)).toEqual([]);
    });

    test('links and uploads are unknown, and stay what they are at home', async () => {
      const { link, tus, tusId, reservedId, project, content } = side(of);
      if (kind === 'local') {
        const { search } = new URL(link, 'http://x');
        await expectRefused({ path: link }, 403);
        await expectRefused({ path: `/api/files/${side(on).fileId}/raw${search}` }, 403);
        expect((await project.send({ path: link })).text).toBe(content);
      } else {
        const end = { method: 'POST', path: `/api/files/${String(reservedId)}/finalize`, body: {} };
        await expectRefused({ ...end, headers: service() }, 404);
      }
      const foreign = tus.with(service(), side(on).project);
      expect((await foreign.ask('HEAD', tusId)).status).toBe(404);
      expect((await foreign.patch(tusId, 0, half)).status).toBe(404);
      expect((await foreign.ask('DELETE', tusId)).status).toBe(404);
      expect(await tus.offset(tusId)).toBe(0);
    });

    test('ids of tokens and webhooks are unknown to administrators', async () => {
      const { tokenId, webhookId } = side(of);
      const headers = service();
      const token = bucketPath('docs', `/tokens/${tokenId}`);
      const webhook = bucketPath('docs', `/webhooks/${webhookId}`);
      await expectRefused({ method: 'DELETE', path: token, headers }, 404);
      await expectRefused({ path: webhook, headers }, 404);
      await expectRefused({ method: 'PATCH', path: webhook, headers, body: { active: true } }, 404);
      await expectRefused({ method: 'DELETE', path: webhook, headers }, 404);
      for (const deed of ['rotate-secret', 'test']) {
        await expectRefused({ method: 'POST', path: `${webhook}/${deed}`, headers, body: {} }, 404);
      }
      await expectRefused({ path: `${webhook}/deliveries`, headers }, 404);
    });

    test('nothing has changed there', async () => {
      const { project, place, fileId, content } = side(on);
      expect(await digestOf(project)).toEqual(before);
      expect(await place.bytesOf({ id: fileId })).toBe(content);
    });
  });

  const listed = async (name: string): Promise<number> => {
    let count = 0;
    const { signal } = new AbortController();
    for await (const _ of side(name).place.driver.list({ signal })) count += 1;
    return count;
  };

  test('files of the same version, read again and again, are not taken for one another', async () => {
    const version = randomUUID();
    const files = new Map<string, string>();
    for (const [name, { place }] of sides) {
      const file = {
        bucket: 'docs',
        key: 'same-version.txt',
        content: `content of ${name}`,
        version,
      };
      files.set(name, (await place.put(file)).id);
    }
    for (const name of ['a', 'b', 'a', 'b']) {
      const reply = await side(name).project.asService({
        path: `/api/files/${files.get(name)}/raw`,
      });
      expect([reply.status, reply.text]).toEqual([200, `content of ${name}`]);
    }
  });

  test('a sweep of one project sees the objects of that project alone', async () => {
    expect([await listed('a'), await listed('b')]).toEqual([2, 2]);
    const { project, place } = side('a');
    const state = new StoredState(deployment, project, place.driver);
    expect(await state.objectsWithoutRow()).toEqual([]);
    expect(await state.sweep()).toMatchObject({
      orphans: 0,
      objectsRemoved: 0,
      filesWithoutObject: 0,
    });
    expect([await listed('a'), await listed('b')]).toEqual([2, 2]);
  });

  test('a project that is deleted takes its files along, and no others', async () => {
    const { project } = side('a');
    const { ref } = project;
    const gone = await deployment.console({
      method: 'DELETE',
      path: `/platform/projects/${ref}?now=true`,
      body: { ref },
    });
    expect(gone.status).toBeLessThan(300);
    await waitFor(async () => (await listed('a')) === 0);
    if (kind === 'local')
      await expect(readdir(localFolder(deployment, project))).rejects.toThrow('ENOENT');
    expect(await listed('b')).toBe(2);
    const read = { path: objectPath, headers: { apikey: side('b').project.secretKey } };
    expect((await fetchBytes(side('b').project, read)).bytes.toString()).toBe(side('b').content);
  });
});
