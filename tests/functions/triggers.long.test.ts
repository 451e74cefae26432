// Changes of tables that call functions and addresses.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { verifyWebhook } from '#libs/outbound';

import { rowsOf } from '../http/administration.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { EdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

/** Logs what it is called with. */
const keeper = `
Deno.serve(async (request) => {
  const body = await request.text();
  const caller = JSON.parse(atob(request.headers.get('x-rowhouse-caller').split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
  console.log(JSON.stringify({ body, via: caller.via, role: caller.role, delivery: request.headers.get('x-rowhouse-delivery') }));
  return new Response(null, { status: 204 });
});`;

interface Received {
  readonly headers: Record<string, string>;
  readonly text: string;
}

describeWithDeno('a trigger', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  let server: Server;
  let url = '';
  const received: Received[] = [];
  let status = 204;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        received.push({ headers, text: Buffer.concat(parts).toString() });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders?key=1`;
    deployment = await Deployment.shared('functions');
    edge = new EdgeProject(await deployment.createProject());
    await edge.project.sql(`
      create table public.orders (id bigint primary key, note text, total numeric);
      create table public.quiet (id int primary key);
      select realtime.disable('public.quiet');
    `);
    await edge.create('keeper', keeper);
  }, 60_000);
  afterAll(async () => {
    server.close();
    await deployment.close();
  });

  afterEach(async () => {
    for (const { id } of await edge.list('/triggers', 'triggers')) await remove(id);
  });

  const trigger = (fields: object) =>
    edge.asked('POST', '/triggers', { name: 'orders', table: 'orders', ...fields });
  const remove = (id: unknown) => edge.admin('DELETE', `/triggers/${String(id)}`);
  const logged = async () =>
    (await edge.list('/logs?function=keeper', 'logs')).map(({ message }) =>
      asRecord(JSON.parse(String(message))),
    );
  const deliveriesOf = (id: unknown, query = '') =>
    edge.list(`/triggers/${String(id)}/deliveries${query}`, 'deliveries');

  test('calls its function for each committed change, in the order of a row, as the platform', async () => {
    const { id } = await trigger({ function: 'keeper' });
    await edge.project.sql(`
      insert into public.orders values (9007199254740993, 'new', 1.50);
      update public.orders set note = 'paid';
      delete from public.orders;
    `);
    const undone = `insert into public.orders values (1, 'gone', 1); select 1/0`;
    await expect(edge.project.sql(undone)).rejects.toThrow('division');
    await waitFor(async () => (await logged()).length === 3);
    const calls = (await logged()).toReversed();
    expect(calls.map(({ via, role }) => [via, role])).toEqual(
      Array(3).fill(['trigger', 'service_role']),
    );
    const texts = calls.map(({ body }) => String(body));
    expect(texts.map((text) => asRecord(JSON.parse(text))['type'])).toEqual([
      'INSERT',
      'UPDATE',
      'DELETE',
    ]);
    expect(texts[0]).toContain('"record":{"id":9007199254740993,"note":"new","total":1.50}');
    expect(JSON.parse(texts[1] ?? '')).toMatchObject({
      schema: 'public',
      table: 'orders',
      record: { note: 'paid' },
      old_record: { note: 'new' },
      id: calls[1]?.['delivery'],
    });
    expect(JSON.parse(texts[2] ?? '')).toMatchObject({
      record: null,
      old_record: { note: 'paid' },
    });
    expect(await deliveriesOf(id)).toMatchObject(
      Array(3).fill({ status: 'succeeded', responseStatus: 204 }),
    );
  });

  test('with a filter calls for rows that match alone, with an address signs its calls', async () => {
    const { id, secret } = await trigger({ url, filter: 'total=gt.100', events: ['INSERT'] });
    await edge.project.asService({
      method: 'POST',
      path: '/api/rest/v1/orders',
      body: [
        { id: 1, note: 'small', total: 100 },
        { id: 2, note: 'large', total: 100.01 },
      ],
    });
    await waitFor(() => received.length > 0);
    const [call] = received;
    expect(asRecord(JSON.parse(call?.text ?? ''))['record']).toMatchObject({ id: 2 });
    const signed = {
      secret: String(secret),
      headers: new Headers(call?.headers),
      body: call?.text ?? '',
    };
    expect(verifyWebhook({ ...signed, nowSeconds: Math.floor(Date.now() / 1000) })).toBe(true);
    // Nothing is kept of what did not match.
    await waitFor(async () => (await deliveriesOf(id)).length === 1);
    expect(received).toHaveLength(1);
    expect(await deliveriesOf(id)).toMatchObject([
      { target: url.split('?')[0], status: 'succeeded' },
    ]);
  });

  test('that fails tries again, holds back later changes of the row alone, and can be sent again', async () => {
    received.length = 0;
    status = 500;
    const { id } = await trigger({ url });
    await edge.project.sql(`
      insert into public.orders values (11, 'first', 1);
      insert into public.orders values (12, 'other', 1);
      update public.orders set note = 'second' where id = 11;
    `);
    await waitFor(() => received.length === 2);
    status = 204;
    await waitFor(async () => (await deliveriesOf(id, '?status=pending')).length === 3);
    await rowsOf(
      edge.project,
      `update platform.outbox set next_attempt_at = now() where status = 'pending'`,
    );
    await waitFor(async () => (await deliveriesOf(id, '?status=succeeded')).length === 3);
    const ofRow = received
      .map(({ text }) => asRecord(asRecord(JSON.parse(text))['record']))
      .filter((record) => record['id'] === 11);
    expect(ofRow.map(({ note }) => note)).toEqual(['first', 'first', 'second']);
    await rowsOf(
      edge.project,
      `update platform.outbox set status = 'dead', next_attempt_at = null`,
    );
    const [dead] = await deliveriesOf(id, '?status=dead');
    expect(
      await edge.asked('POST', `/triggers/${String(id)}/deliveries/${String(dead?.['id'])}/retry`),
    ).toEqual({ retried: 1 });
    expect(await edge.asked('POST', `/triggers/${String(id)}/deliveries/all/retry`)).toEqual({
      retried: 2,
    });
    await waitFor(async () => (await deliveriesOf(id, '?status=succeeded')).length === 3);
    await rowsOf(
      edge.project,
      `update platform.outbox set status = 'pending', next_attempt_at = now() + interval '1 hour'`,
    );
    // The oldest: later ones of the row wait for it.
    const waiting = (await deliveriesOf(id, '?status=pending')).at(-1);
    const now = `/triggers/${String(id)}/deliveries/${String(waiting?.['id'])}/retry`;
    expect(await edge.asked('POST', now)).toEqual({ retried: 1 });
    await waitFor(async () => (await deliveriesOf(id, '?status=succeeded')).length === 1);
  });

  test('that is off or removed captures nothing, and its table stays writable', async () => {
    const { id } = await trigger({ function: 'keeper', isActive: false });
    await edge.project.sql(`insert into public.orders values (21, 'off', 1)`);
    expect(await deliveriesOf(id)).toEqual([]);
    expect(await edge.asked('PATCH', `/triggers/${String(id)}`, { isActive: true })).toMatchObject({
      isActive: true,
    });
    expect((await remove(id)).status).toBe(204);
    await edge.project.sql(`insert into public.orders values (22, 'removed', 1)`);
    const [row] = await rowsOf(
      edge.project,
      `select count(*)::int as rows from platform.outbox where source = '${String(id)}'`,
    );
    expect(row).toEqual({ rows: 0 });
    expect((await edge.admin('GET', `/triggers/${String(id)}/deliveries`)).status).toBe(404);
  });

  test.each([
    {
      rule: 'of no table',
      fields: { table: 'missing', function: 'keeper' },
      error: /missing is no table/,
    },
    {
      rule: 'of a table that is not captured',
      fields: { table: 'quiet', function: 'keeper' },
      error: /quiet is no table/,
    },
    { rule: 'with nothing to call', fields: {}, error: /either function or url/ },
    {
      rule: 'with two things to call',
      fields: { function: 'keeper', url: 'https://example.com' },
      error: /either/,
    },
    {
      rule: 'with a function that is not there',
      fields: { function: 'nothing' },
      error: /nothing/,
    },
    {
      rule: 'with an address of this network',
      fields: { url: 'http://10.0.0.1/' },
      error: /10\.0\.0\.1/,
    },
    {
      rule: 'with a filter on no column',
      fields: { function: 'keeper', filter: 'nope=eq.1' },
      error: /nope/,
    },
    {
      rule: 'with half a filter',
      fields: { function: 'keeper', filter: 'total=gt' },
      error: /filter/,
    },
  ])('$rule is refused', async ({ fields, error }) => {
    const reply = await edge.admin('POST', '/triggers', {
      name: 'refused',
      table: 'orders',
      ...fields,
    });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(reply.text).toMatch(error);
    expect(await edge.list('/triggers', 'triggers')).toEqual([]);
  });
});
