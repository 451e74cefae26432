// Webhooks and the move of files as administrators reach them, in a whole deployment; with a store, where there
// is one to run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';

import { verifyWebhook } from '#libs/outbound';
import { waitFor } from '#libs/testing';

import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import {
  type HttpRecorder,
  openHttpRecorder,
  type RecordedRequest,
} from '../support/http-recorder.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { canRunS3, openS3Server, type S3Server, storeEnvironment } from '../support/s3-server.js';
import { bucketPath, dataOf, makeBucket } from './bucket-rows.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let receiver: HttpRecorder;
let server: S3Server | undefined;
let store = '';
const ask = (call: Call): Promise<Reply> => project.asService(call);
const hooks = (rest = '', slug = 'docs') => bucketPath(slug, `/webhooks${rest}`);
const field = (reply: Reply, name: string): unknown => asRecord(dataOf(reply))[name];

beforeAll(async () => {
  receiver = await openHttpRecorder();
  server = canRunS3() ? await openS3Server() : undefined;
  store = (await server?.createBucket()) ?? '';
  deployment = await Deployment.open({
    env: {
      OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}`,
      ...(server && { ...storeEnvironment(server, store), STORAGE_DRIVER: 'local' }),
    },
  });
  project = await deployment.createProject();
  await makeBucket(project, 'docs');
}, 90_000);
afterAll(async () => {
  await deployment.close();
  await server?.close();
  await receiver.close();
}, 60_000);

interface MadeWebhook {
  readonly id: string;
  readonly secret: string;
}

async function makeWebhook(fields: Readonly<Record<string, unknown>> = {}): Promise<MadeWebhook> {
  const url = `${receiver.origin}/${randomUUID()}`;
  const reply = await ask({ method: 'POST', path: hooks(), body: { url, ...fields } });
  expect(reply.status).toBe(201);
  return { id: String(field(reply, 'id')), secret: String(field(reply, 'secret')) };
}

const upload = (path: string, body: string, of = project): Promise<Reply> =>
  of.asService({
    method: 'PUT',
    path: `/api/files/object/docs/${path}?upsert=true`,
    headers: { 'content-type': 'text/plain' },
    body,
  });

function isSignedWith(secret: string, request: RecordedRequest): boolean {
  const headers = new Headers();
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    headers.set(name, String(request.headers[name]));
  }
  return verifyWebhook({ secret, headers, body: request.text, nowSeconds: Date.now() / 1000 });
}

describe('a webhook', () => {
  test('shows its secret when it is made and at no other time, and is sealed in the database', async () => {
    const url = `${receiver.origin}/once`;
    const made = await ask({ method: 'POST', path: hooks(), body: { url } });
    expect(dataOf(made)).toEqual({
      id: expect.any(String),
      url,
      events: ['uploaded'],
      active: true,
      previousSecretUntil: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      secret: expect.stringMatching(/^whsec_/),
    });
    const { secret, ...view } = asRecord(dataOf(made));
    const read = await ask({ path: hooks(`/${String(view['id'])}`) });
    expect(dataOf(read)).toEqual(view);
    expect((await ask({ path: hooks() })).text).not.toContain('whsec_');
    const rows = await asSuperuser('select * from storage.webhooks', {
      database: project.database,
    });
    expect(JSON.stringify(rows)).not.toContain(String(secret).slice(6));
    const gone = await ask({ method: 'DELETE', path: hooks(`/${String(view['id'])}`) });
    expect(gone.status).toBe(204);
    expect((await ask({ path: hooks(`/${String(view['id'])}`) })).status).toBe(404);
  });

  test.each([
    { what: 'no address', body: {}, status: 400, code: 'INVALID_INPUT' },
    { what: 'what is no address', body: { url: 'nowhere' }, status: 400, code: 'OUTBOUND_REFUSED' },
    {
      what: 'an address that is not public',
      body: { url: 'http://127.0.0.1:1/' },
      status: 400,
      code: 'OUTBOUND_REFUSED',
    },
    {
      what: 'the address of the metadata of a cloud',
      body: { url: 'http://169.254.169.254/latest/meta-data/' },
      status: 400,
      code: 'OUTBOUND_REFUSED',
    },
    {
      what: 'an event that there is not',
      body: { url: 'https://example.com/', events: ['opened'] },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      what: 'no event at all',
      body: { url: 'https://example.com/', events: [] },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      what: 'a field that there is not',
      body: { url: 'https://example.com/', secret: 'mine' },
      status: 400,
    },
  ])('is refused with $what', async ({ body, status, code }) => {
    const reply = await ask({ method: 'POST', path: hooks(), body });
    expect(reply.status).toBe(status);
    if (code !== undefined) expect(reply.body).toMatchObject({ code });
    expect(dataOf(await ask({ path: hooks() }))).toEqual([]);
  });

  test('of another bucket, another project or nobody is not found', async () => {
    const { id } = await makeWebhook();
    await makeBucket(project, 'others');
    const neighbor = await deployment.createProject();
    await makeBucket(neighbor, 'docs');
    for (const path of [hooks(`/${id}`, 'others'), hooks(`/${randomUUID()}`), hooks('/x')]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['POST', '/rotate-secret'],
        ['GET', '/deliveries'],
        ['POST', `/deliveries/${randomUUID()}/redeliver`],
      ] as const) {
        const body = method === 'PATCH' ? { active: false } : undefined;
        const reply = await ask({ method, path: `${path}${rest}`, body });
        expect([method, rest, reply.status]).toEqual([method, rest, 404]);
        expect(reply.body).toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
      }
    }
    expect((await neighbor.asService({ path: hooks(`/${id}`) })).status).toBe(404);
    expect((await ask({ path: hooks('', 'nowhere') })).body).toMatchObject({
      code: 'BUCKET_NOT_FOUND',
    });
    expect((await project.send({ path: hooks() })).status).toBe(401);
    expect((await ask({ path: hooks(`/${id}`) })).status).toBe(200);
    await ask({ method: 'DELETE', path: hooks(`/${id}`) });
  });

  test('hears of uploads soon after they were answered, and of what else it asked for', async () => {
    const { id, secret } = await makeWebhook({
      events: ['uploaded', 'copied', 'moved', 'deleted'],
    });
    expect((await upload('a.txt', 'a')).status).toBe(201);
    const uploaded = await receiver.waitForRequest();
    expect(isSignedWith(secret, uploaded)).toBe(true);
    expect(uploaded.json).toMatchObject({
      type: 'uploaded',
      bucket: 'docs',
      file: { key: 'a.txt' },
    });
    const change = (action: string) =>
      ask({
        method: 'POST',
        path: `/api/files/${action}`,
        body: { bucket: 'docs', from: 'a.txt', to: `${action}.txt` },
      });
    expect((await change('copy')).status).toBe(201);
    expect((await receiver.waitForRequest()).json).toMatchObject({ type: 'copied' });
    expect((await change('move')).status).toBe(200);
    expect((await receiver.waitForRequest()).json).toMatchObject({
      type: 'moved',
      previousKey: 'a.txt',
      file: { key: 'move.txt' },
    });
    await ask({ method: 'DELETE', path: '/api/files/object/docs/move.txt' });
    expect((await receiver.waitForRequest()).json).toMatchObject({ type: 'deleted' });
    const page = await ask({ path: hooks(`/${id}/deliveries?limit=2`) });
    expect(page.body).toMatchObject({ total: 4, data: [{ event: 'deleted' }, { event: 'moved' }] });
    await ask({ method: 'DELETE', path: hooks(`/${id}`) });
  });

  test('with a new secret signs with both', async () => {
    const { id, secret } = await makeWebhook();
    const rotated = await ask({ method: 'POST', path: hooks(`/${id}/rotate-secret`) });
    expect(rotated.status).toBe(200);
    const until = new Date(String(field(rotated, 'previousSecretUntil'))).getTime();
    expect(until - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    await upload('b.txt', 'b');
    const request = await receiver.waitForRequest();
    const fresh = String(field(rotated, 'secret'));
    expect(fresh).not.toBe(secret);
    expect(isSignedWith(secret, request) && isSignedWith(fresh, request)).toBe(true);
    await ask({ method: 'DELETE', path: hooks(`/${id}`) });
  });

  test('that is off hears nothing until it is on', async () => {
    const { id } = await makeWebhook();
    receiver.answerWith(() => ({ status: 500 }));
    await upload('c.txt', 'c');
    await receiver.waitForRequest();
    await ask({ method: 'PATCH', path: hooks(`/${id}`), body: { active: false } });
    await asSuperuser("update platform.outbox set next_attempt_at = now() - interval '1 s'", {
      database: project.database,
    });
    receiver.answerWith(() => ({ body: {} }));
    const before = receiver.requests.length;
    await upload('c.txt', 'again');
    const waiting = await ask({ path: hooks(`/${id}/deliveries?status=pending`) });
    expect(waiting.body).toMatchObject({ total: 1 });
    expect(receiver.requests).toHaveLength(before);
    await ask({ method: 'PATCH', path: hooks(`/${id}`), body: { active: true } });
    await receiver.waitForRequest();
    await waitFor(async () => {
      const ended = await ask({ path: hooks(`/${id}/deliveries?status=succeeded`) });
      return asRecord(ended.body)['total'] === 1;
    });
    await ask({ method: 'DELETE', path: hooks(`/${id}`) });
  });

  test('is tried out with a ping, and says what came of it', async () => {
    const { id, secret } = await makeWebhook({ active: false });
    const fine = await ask({ method: 'POST', path: hooks(`/${id}/test`) });
    expect(fine.status).toBe(200);
    expect(dataOf(fine)).toMatchObject({ isDelivered: true, status: 200 });
    const request = await receiver.waitForRequest();
    expect(request.json).toMatchObject({ type: 'ping', bucket: 'docs', id: expect.any(String) });
    expect(isSignedWith(secret, request)).toBe(true);
    receiver.answerWith(() => ({ status: 404 }));
    const failed = await ask({ method: 'POST', path: hooks(`/${id}/test`) });
    expect(dataOf(failed)).toMatchObject({
      isDelivered: false,
      status: 404,
      error: 'the receiver answered with status 404',
    });
    receiver.answerWith(() => ({ body: {} }));
    await receiver.waitForRequest();
    await ask({ method: 'DELETE', path: hooks(`/${id}`) });
  });

  test.each([{ status: 'succeeded' }, { status: 'dead' }])(
    'is sent a message again, with the same id, that is $status',
    async ({ status }) => {
      const { id } = await makeWebhook();
      await upload('d.txt', 'd');
      const first = await receiver.waitForRequest();
      const deliveryId = String(first.headers['webhook-id']);
      await waitFor(async () => {
        const ended = await ask({ path: hooks(`/${id}/deliveries?status=succeeded`) });
        return asRecord(ended.body)['total'] === 1;
      });
      await asSuperuser(`update platform.outbox set status = $1, attempts = 8`, {
        database: project.database,
        values: [status],
      });
      const path = hooks(`/${id}/deliveries/${deliveryId}/redeliver`);
      const reply = await ask({ method: 'POST', path });
      expect(dataOf(reply)).toMatchObject({ id: deliveryId, status: 'pending', attempts: 0 });
      const again = await receiver.waitForRequest();
      expect(again.headers['webhook-id']).toBe(deliveryId);
      expect(again.text).toBe(first.text);
      const unknown = hooks(`/${id}/deliveries/${randomUUID()}/redeliver`);
      expect((await ask({ method: 'POST', path: unknown })).body).toMatchObject({
        code: 'DELIVERY_NOT_FOUND',
      });
      await ask({ method: 'DELETE', path: hooks(`/${id}`) });
    },
  );

  test('leaves every change in the audit log, without secrets', async () => {
    const rows = await asSuperuser(
      "select action, before, after from platform.audit_log where action like 'webhook.%'",
      { database: project.database },
    );
    const actions = new Set(rows.map(({ action }) => action));
    expect([...actions].toSorted()).toEqual([
      'webhook.create',
      'webhook.delete',
      'webhook.redeliver',
      'webhook.rotateSecret',
      'webhook.update',
    ]);
    expect(JSON.stringify(rows)).not.toContain('whsec_');
  });
});

const relocation = '/api/admin/storage/relocation';

describe('the move of files', () => {
  test('is idle where there was none, and only goes to where new files are kept', async () => {
    const reply = await ask({ path: relocation });
    expect(dataOf(reply)).toMatchObject({ state: 'idle', to: 'local', movedFiles: 0 });
    expect(dataOf(await ask({ method: 'DELETE', path: relocation }))).toMatchObject({
      state: 'idle',
    });
    const refused = await ask({ method: 'POST', path: relocation, body: { to: 's3' } });
    expect(refused.body).toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    expect((await project.send({ method: 'POST', path: relocation })).status).toBe(401);
  });

  (canRunS3() ? test : test.skip)(
    'to the store is done while files are read',
    async () => {
      for (let count = 0; count < 5; count += 1) await upload(`move/${count}`, `content ${count}`);
      const saved = await ask({
        method: 'PUT',
        path: '/api/admin/settings/storage',
        body: { driver: 's3' },
      });
      expect(saved.status).toBe(200);
      const started = await ask({ method: 'POST', path: relocation });
      expect(started.status).toBe(200);
      expect(dataOf(started)).toMatchObject({ state: 'running', from: 'local', to: 's3' });
      await waitFor(async () => {
        for (let count = 0; count < 5; count += 1) {
          const read = await ask({ path: `/api/files/object/docs/move/${count}` });
          expect([read.status, read.text]).toEqual([200, `content ${count}`]);
        }
        return field(await ask({ path: relocation }), 'state') === 'done';
      });
      expect(field(await ask({ path: relocation }), 'failedFiles')).toBe(0);
      expect(await objectsOf(project)).toBeGreaterThanOrEqual(5);
    },
    30_000,
  );
});

(canRunS3() ? test : test.skip)(
  'the objects of a deleted project go with it, and those of others stay',
  async () => {
    const other = await deployment.createProject();
    await makeBucket(other, 'docs');
    const save = (driver: string) =>
      other.asService({ method: 'PUT', path: '/api/admin/settings/storage', body: { driver } });
    expect((await save('s3')).status).toBe(200);
    expect((await upload('mine.txt', 'mine', other)).status).toBe(201);
    // Its objects are there, though new files are kept elsewhere now.
    expect((await save('local')).status).toBe(200);
    expect(await objectsOf(other)).toBe(1);
    const before = await objectsOf(project);
    const gone = await deployment.console({
      method: 'DELETE',
      path: `/platform/projects/${other.ref}?now=true`,
      body: { ref: other.ref },
    });
    expect(gone.status).toBeLessThan(300);
    expect(await objectsOf(other)).toBe(0);
    expect(await objectsOf(project)).toBe(before);
  },
  30_000,
);

/** How many objects the store has of a project; it lists few at a time. */
async function objectsOf({ ref }: ProjectUnderTest): Promise<number> {
  let count = 0;
  for (let token: string | undefined, isLast = false; !isLast;) {
    const page = await server?.client.send(
      new ListObjectsV2Command({ Bucket: store, ContinuationToken: token }),
    );
    count += (page?.Contents ?? []).filter(({ Key }) => Key?.split('/')[1] === ref).length;
    token = page?.NextContinuationToken;
    isLast = token === undefined;
  }
  return count;
}
