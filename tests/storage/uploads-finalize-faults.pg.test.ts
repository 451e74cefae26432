// What becomes of a presigned upload when the database or the store fails while it is finalized. The store knows no
// conditional writes, so that the file gets a copy of what was uploaded.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { describeIf, waitFor } from '#libs/testing';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { canRunS3, openS3Server, type S3Server, storeEnvironment } from '../support/s3-server.js';
import { makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { type LossyDatabase, openLossyDatabase } from './lossy-database.js';
import { openRefusingStore, type RefusingStore } from './refusing-store.js';
import { fetchBytes } from './stored-files.js';
import { uploadState } from './stored-bytes.js';
import { asUser, fileIn } from './uploads-http.js';

describeIf(canRunS3(), 'presigned uploads need Swift')('while an upload is finalized', () => {
  let server: S3Server;
  let store: RefusingStore;
  let database: LossyDatabase;
  let home: Deployment;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let ada: SignedIn;

  beforeAll(async () => {
    server = await openS3Server();
    [store, database] = [await openRefusingStore(server), await openLossyDatabase()];
    const env = {
      ...storeEnvironment(server, await server.createBucket()),
      S3_ENDPOINT: store.endpoint,
      OUTBOUND_ALLOWED_HOSTS: new URL(store.endpoint).host,
    };
    home = await Deployment.open({ env });
    deployment = await Deployment.open({ env, databaseUrl: database.url }, home);
    const made = await home.createProject();
    project = made.through(deployment.apiOrigin);
    ada = await project.signUp('ada@example.org');
    await makeBucket(project, 'docs');
  }, 120_000);
  afterEach(() => store.refuse(async () => undefined));
  afterAll(async () => {
    await deployment.stop();
    await home.close();
    await Promise.all([store.close(), database.close()]);
    await server.close();
  }, 60_000);

  /** Uploads `content` to a presigned URL. Returns the id of the upload. */
  async function uploaded(path: string, content: string, mime = 'text/plain'): Promise<string> {
    const body = { filename: 'a', path, size: content.length, mime, bucket: 'docs' };
    const reply = await project.as(ada, { method: 'POST', path: '/api/files/presign', body });
    const { file, uploadUrl, requiredHeaders } = fileIn(reply);
    const headers = Object.entries(asRecord(requiredHeaders)).map(
      ([name, value]): [string, string] => [name, String(value)],
    );
    const put = await fetch(String(uploadUrl), { method: 'PUT', headers, body: content });
    expect(put.status).toBe(200);
    return String(asRecord(file)['id']);
  }
  const finalize = (id: string) =>
    project.as(ada, { method: 'POST', path: `/api/files/${id}/finalize` });
  const contentOf = async (id: string) => {
    const path = `/api/files/${id}/raw`;
    const { status, bytes } = await fetchBytes(project, { path, headers: asUser(ada) });
    return [status, bytes.toString()];
  };

  test('a commit whose answer is lost keeps the bytes of the file', async () => {
    const id = await uploaded('lost.txt', 'kept all the same');
    database.loseAnswerTo('storage.commit_copied_upload(');
    const reply = await finalize(id);
    expect(database.lost).toBe(1);
    const made = 'select size::int from storage.stored_files where upload_id = $1';
    expect(await rowsIn(project, made, [id])).toEqual([{ size: 17 }]);
    expect(fileIn(reply)).toMatchObject({ id, size: 17 });
    expect(await contentOf(id)).toEqual([200, 'kept all the same']);
    expect(fileIn(await finalize(id))).toMatchObject({ id });
    expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
  });

  test('bytes that cannot be removed do not turn a repeated success into an error', async () => {
    const id = await uploaded('twice.txt', 'finalized twice');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let copies = 0;
    store.refuse(async ({ method, headers }) => {
      if (method === 'DELETE') return 403;
      if (headers['x-amz-copy-source'] !== undefined && ++copies === 1) await released;
      return undefined;
    });
    const slow = finalize(id);
    await waitFor(async () => copies === 1);
    expect(fileIn(await finalize(id))).toMatchObject({ id });
    release();
    expect(fileIn(await slow)).toMatchObject({ id });
    expect(await contentOf(id)).toEqual([200, 'finalized twice']);
  });

  test('bytes that cannot be removed do not hide what is wrong with them', async () => {
    const id = await uploaded('a.png', '<!doctype html><script>alert(1)</script>', 'image/png');
    store.refuse(async ({ method }) => (method === 'DELETE' ? 403 : undefined));
    expect(refusalOf(await finalize(id)).slice(0, 2)).toEqual([400, 'CONTENT_MISMATCH']);
    expect((await finalize(id)).status).toBe(404);
    expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
  });
});
