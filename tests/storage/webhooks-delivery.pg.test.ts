import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';

import { sweepDeliveries } from '#libs/outbox';
import { createOutbound, newWebhookSecret, verifyWebhook } from '#libs/outbound';
import { waitFor } from '#libs/testing';

import { oneOf } from '../database/storage-fixture.js';
import {
  type HttpRecorder,
  openHttpRecorder,
  type RecordedRequest,
} from '../support/http-recorder.js';
import { openWorkFixture, type WorkFixture } from './work-fixture.js';

let fixture: WorkFixture;
let receiver: HttpRecorder;
beforeAll(async () => {
  fixture = await openWorkFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await openHttpRecorder();
  // Their deliveries go with them.
  await fixture.engine.query('delete from storage.webhooks');
});
afterEach(() => receiver.close());

interface Webhook {
  readonly id: string;
  readonly secret: string;
}

async function addWebhook(
  input: {
    readonly url?: string;
    readonly previous?: string;
    readonly previousUntil?: string;
  } = {},
): Promise<Webhook> {
  const [id, secret] = [randomUUID(), newWebhookSecret()];
  const { url = `${receiver.origin}/hook`, previous, previousUntil = '1 hour' } = input;
  await fixture.engine.query(
    `insert into storage.webhooks (id, bucket, url, secret, previous_secret, previous_secret_until)
     values ($1, 'docs', $2, $3, $4, now() + $5::interval)`,
    [
      id,
      url,
      fixture.seal.close(id, secret),
      previous === undefined ? null : fixture.seal.close(id, previous),
      previousUntil,
    ],
  );
  return { id, secret };
}

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  /** Seconds until the next try. */
  readonly due_in: number | null;
}

async function deliveryOf({ id }: Pick<Webhook, 'id'>): Promise<Delivery> {
  const { rows } = await fixture.engine.query<Delivery>(
    `select event_id as id, status, attempts, response_status as last_status, error as last_error,
       extract(epoch from next_attempt_at - now())::float8 as due_in
     from platform.outbox where kind = 'webhook' and source = $1`,
    [id],
  );
  return oneOf(rows);
}

const makeDue = () =>
  fixture.engine.query(
    "update platform.outbox set next_attempt_at = now() where status = 'pending'",
  );

function isSignedWith(secret: string, request: RecordedRequest): boolean {
  const headers = new Headers();
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    headers.set(name, String(request.headers[name]));
  }
  const nowSeconds = Date.now() / 1000;
  return verifyWebhook({ secret, headers, body: request.text, nowSeconds });
}

describe('a delivery', () => {
  test('is signed, names its id, and says what happened', async () => {
    const webhook = await addWebhook();
    const outbox = fixture.openOutbox();
    const file = await fixture.putFile();
    await outbox.drain();
    const request = await receiver.waitForRequest();
    const delivery = await deliveryOf(webhook);
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.headers['webhook-id']).toBe(delivery.id);
    expect(request.json).toMatchObject({
      id: delivery.id,
      type: 'uploaded',
      bucket: 'docs',
      replaced: false,
      file: { id: file.id, key: file.key, version: file.version, size: file.bytes.length },
    });
    expect(isSignedWith(webhook.secret, request)).toBe(true);
    expect(isSignedWith(newWebhookSecret(), request)).toBe(false);
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 1, last_status: 200 });
    await outbox.close();
  });

  test('is signed with both secrets while the old one holds, and then with the new one', async () => {
    const previous = newWebhookSecret();
    const [rotated, long] = [
      await addWebhook({ previous, url: `${receiver.origin}/rotated` }),
      await addWebhook({ previous, previousUntil: '-1 s', url: `${receiver.origin}/long-ago` }),
    ];
    const outbox = fixture.openOutbox();
    await fixture.putFile();
    outbox.schedule();
    const now = await receiver.waitForRequest(({ path }) => path === '/rotated');
    const later = await receiver.waitForRequest(({ path }) => path === '/long-ago');
    expect(isSignedWith(rotated.secret, now) && isSignedWith(previous, now)).toBe(true);
    expect(isSignedWith(long.secret, later)).toBe(true);
    expect(isSignedWith(previous, later)).toBe(false);
    await outbox.close();
  });

  test('is made after a restart, with the same id, when the process ended before it', async () => {
    const webhook = await addWebhook();
    const first = fixture.openOutbox();
    await first.close();
    await fixture.putFile();
    first.schedule();
    const { id } = await deliveryOf(webhook);
    expect(receiver.requests).toEqual([]);
    const second = fixture.openOutbox();
    second.schedule();
    const request = await receiver.waitForRequest();
    expect(request.headers['webhook-id']).toBe(id);
    await second.close();
  });

  test('is taken over with the same id when the process died during it', async () => {
    const webhook = await addWebhook();
    receiver.answerWith(() => 'hang');
    const dying = fixture.openOutbox();
    await fixture.putFile();
    dying.schedule();
    const lost = await receiver.waitForRequest();
    receiver.answerWith(() => ({ body: {} }));
    // The lease of the dead process has run out.
    await makeDue();
    const next = fixture.openOutbox();
    next.schedule();
    const request = await receiver.waitForRequest();
    expect(request.headers['webhook-id']).toBe(lost.headers['webhook-id']);
    expect(request.text).toBe(lost.text);
    await waitFor(async () => (await deliveryOf(webhook)).status === 'succeeded');
    await receiver.close();
    await dying.close();
    // The result of whoever was too late changes nothing.
    expect(await deliveryOf(webhook)).toMatchObject({ status: 'succeeded', attempts: 2 });
    receiver = await openHttpRecorder();
    await next.close();
  });

  test('is made once however many processes look for it', async () => {
    const webhook = await addWebhook();
    const outboxes = [fixture.openOutbox(), fixture.openOutbox(), fixture.openOutbox()];
    for (let round = 0; round < 20; round += 1) await fixture.putFile();
    for (const each of outboxes) each.schedule();
    await waitFor(async () => {
      const { rows } = await fixture.engine.query(
        "select 1 from platform.outbox where source = $1 and status = 'succeeded'",
        [webhook.id],
      );
      return rows.length === 20;
    });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
    expect(receiver.requests).toHaveLength(20);
    await Promise.all(outboxes.map((each) => each.close()));
  });
});

describe('a failed delivery', () => {
  test('is tried again after 5 s, 30 s, 2 m, 10 m, 1 h, 6 h and 24 h, and is dead then', async () => {
    const webhook = await addWebhook();
    receiver.answerWith(() => ({ status: 500 }));
    const outbox = fixture.openOutbox();
    await fixture.putFile();
    const ids = new Set<unknown>();
    for (const [index, seconds] of [5, 30, 120, 600, 3600, 21_600, 86_400].entries()) {
      await outbox.drain();
      ids.add((await receiver.waitForRequest()).headers['webhook-id']);
      const { status, attempts, due_in: dueIn, last_status: answer } = await deliveryOf(webhook);
      const tried = { status: 'pending', attempts: index + 1, answer: 500 };
      expect({ status, attempts, answer }).toEqual(tried);
      expect(dueIn).toBeGreaterThan(seconds * 0.9 - 1);
      expect(dueIn).toBeLessThan(seconds * 1.1);
      await makeDue();
    }
    await outbox.drain();
    ids.add((await receiver.waitForRequest()).headers['webhook-id']);
    const dead = await deliveryOf(webhook);
    expect(dead).toMatchObject({ attempts: 8, status: 'dead', last_status: 500, due_in: null });
    expect(ids.size).toBe(1);
    expect(fixture.complaints.join()).toContain(dead.id);
    await outbox.close();
  });

  test.each([
    {
      what: 'a connection that is cut',
      answer: () => 'cut' as const,
      error: 'could not be reached',
    },
    { what: 'a redirect', answer: () => ({ status: 302 }), error: 'status 302' },
    { what: 'an error of the receiver', answer: () => ({ status: 503 }), error: 'status 503' },
  ])('tells of $what', async ({ answer, error }) => {
    const webhook = await addWebhook();
    receiver.answerWith(answer);
    const outbox = fixture.openOutbox();
    await fixture.putFile();
    await outbox.drain();
    await receiver.waitForRequest();
    const delivery = await deliveryOf(webhook);
    expect(delivery.status).toBe('pending');
    expect(delivery.last_error).toContain(error);
    await outbox.close();
  });

  test('to an address that is not public is refused before it is called', async () => {
    const webhook = await addWebhook();
    const outbox = fixture.openOutbox({ outbound: createOutbound({ allowedHosts: [] }) });
    await fixture.putFile();
    await outbox.drain();
    const delivery = await deliveryOf(webhook);
    expect(delivery.last_error).toContain('it is not a public address');
    expect(receiver.requests).toEqual([]);
    await outbox.close();
  });

  test('keeps no other webhook waiting, not even a receiver that hangs', async () => {
    await addWebhook({ url: `${receiver.origin}/slow` });
    const outbox = fixture.openOutbox();
    receiver.answerWith(({ path }) => (path === '/slow' ? 'hang' : { body: {} }));
    for (let round = 0; round < 40; round += 1) await fixture.putFile();
    outbox.schedule();
    await receiver.waitForRequest(({ path }) => path === '/slow');
    await addWebhook({ url: `${receiver.origin}/quick` });
    await fixture.putFile();
    outbox.schedule();
    await receiver.waitForRequest(({ path }) => path === '/quick');
    const hanging = receiver.requests.filter(({ path }) => path === '/slow');
    expect(hanging.length).toBeLessThan(10);
    await receiver.close();
    await outbox.close();
    receiver = await openHttpRecorder();
  });
});

describe('a webhook', () => {
  test('whose receiver says 410 is turned off, and what waits for it is kept', async () => {
    const webhook = await addWebhook();
    receiver.answerWith(() => ({ status: 410 }));
    const outbox = fixture.openOutbox();
    await fixture.putFile();
    await outbox.drain();
    await receiver.waitForRequest();
    expect(await deliveryOf(webhook)).toMatchObject({ status: 'dead', last_status: 410 });
    await waitFor(async () => !(await isActive(webhook)));
    await fixture.putFile();
    await deliveryOf(webhook); // Nothing is written for a webhook that is off.
    await outbox.close();
  });

  test('that is off gets what waits when it is turned on', async () => {
    const webhook = await addWebhook();
    await fixture.putFile();
    await fixture.engine.query('update storage.webhooks set active = false');
    const outbox = fixture.openOutbox();
    await outbox.drain();
    expect(await deliveryOf(webhook)).toMatchObject({ status: 'pending', attempts: 0 });
    await fixture.engine.query('update storage.webhooks set active = true');
    await outbox.drain();
    expect(await deliveryOf(webhook)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  test('whose secret cannot be opened is not called, and the delivery says so', async () => {
    const webhook = await addWebhook();
    const other = fixture.seal.close(randomUUID(), newWebhookSecret());
    await fixture.engine.query('update storage.webhooks set secret = $1', [other]);
    const outbox = fixture.openOutbox();
    await fixture.putFile();
    await outbox.drain();
    expect((await deliveryOf(webhook)).last_error).toContain('cannot be opened');
    expect(receiver.requests).toEqual([]);
    await outbox.close();
  });
});

test('deliveries of two weeks ago are forgotten, but for those that wait', async () => {
  const webhook = await addWebhook();
  await fixture.engine.query(
    `insert into platform.outbox
       (kind, source, event_id, target, status, payload, created_at, next_attempt_at)
     select 'webhook', $1, event, '', status, '{}', now() - age::interval, now() + interval '1 day'
     from (values ('old', 'succeeded', '15 days'), ('old', 'dead', '15 days'),
       ('kept', 'succeeded', '13 days'), ('kept', 'pending', '15 days')) as rows (event, status, age)`,
    [webhook.id],
  );
  expect(await sweepDeliveries(fixture.db, 14)).toBe(2);
  const { rows } = await fixture.engine.query<{ event: string }>(
    'select event_id as event from platform.outbox where source = $1',
    [webhook.id],
  );
  expect(rows.map(({ event }) => event)).toEqual(['kept', 'kept']);
});

test('the deliveries of a webhook go with it', async () => {
  const webhook = await addWebhook();
  const kept = await addWebhook();
  await fixture.putFile();
  await fixture.engine.query('delete from storage.webhooks where id = $1', [webhook.id]);
  const { rows } = await fixture.engine.query<{ source: string }>(
    "select source from platform.outbox where kind = 'webhook' and status = 'pending'",
  );
  expect(rows).toEqual([{ source: kept.id }]);
});

async function isActive({ id }: Webhook): Promise<boolean> {
  const { rows } = await fixture.engine.query<{ active: boolean }>(
    'select active from storage.webhooks where id = $1',
    [id],
  );
  return oneOf(rows).active;
}
