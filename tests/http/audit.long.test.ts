// The audit log of a project, and the log of its hooks, as administrators read them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { openReceiver } from '../hooks/hook-receiver.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { makeSignedIn, makeUser, operatorHeaders, rowsOf, usersPath } from './administration.js';

const auditPath = '/api/admin/audit';
const deliveriesPath = '/api/admin/hooks/deliveries';
let deployment: Deployment;
let project: ProjectUnderTest;
let admin: SignedIn;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  receiver = await openReceiver();
  const { host } = new URL(receiver.url);
  deployment = await Deployment.open({ env: { OUTBOUND_ALLOWED_HOSTS: host } });
  project = await deployment.createProject();
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
});
afterAll(async () => {
  await deployment.close();
  receiver.close();
});

const read = (query = '', path = auditPath) => project.asService({ path: `${path}${query}` });

/** Action and target of the entries of a page, and the number of all that match. */
async function page(query: string) {
  const reply = await read(query);
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  const { entries, total } = asRecord(reply.body);
  if (!Array.isArray(entries)) throw new Error(reply.text);
  const rows = entries.map((entry: unknown) => asRecord(entry));
  return { rows, actions: rows.map(({ action }) => action), total };
}

describe('GET /admin/audit', () => {
  test.each([auditPath, '/admin/audit'])(
    '%s tells who changed what, and from where',
    async (path) => {
      const id = await makeUser(project, { email: `who-${path.length}@example.org` });
      await project.as(admin, { method: 'POST', path: `${usersPath}/${id}/promote` });
      const reply = await read(`?target=${id}&limit=1`, path);
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(reply.body).toEqual({
        total: 2,
        next: expect.stringMatching(/^\d+$/),
        entries: [
          {
            id: expect.stringMatching(/^\d+$/),
            at: expect.stringMatching(/Z$/),
            actor: { kind: 'user', id: admin.id, email: admin.email },
            action: 'user.promote',
            target: id,
            before: { role: 'USER' },
            after: { role: 'ADMIN' },
            ip: '127.0.0.1',
            requestId: expect.any(String),
          },
        ],
      });
    },
  );

  test('an operator is named in the entry', async () => {
    const headers = operatorHeaders(deployment, project, ['secrets.manage']);
    const body = { email: 'by-operator@example.org' };
    const made = await project.send({ method: 'POST', path: usersPath, headers, body });
    expect(made.status).toBe(201);
    const { rows } = await page('?actorKind=operator');
    expect(rows[0]).toMatchObject({
      action: 'user.create',
      actor: { kind: 'operator', id: 'operator-1', email: 'operator@example.org' },
    });
  });

  test('a group of settings that is saved or reverted has its values, without secrets', async () => {
    const path = '/api/admin/settings/email.smtp';
    const values = { host: 'mail.example.org', from: 'a@example.org', user: 'u' };
    const body = { ...values, password: 'hunter22' };
    expect((await project.as(admin, { method: 'PUT', path, body })).status).toBe(200);
    expect((await project.as(admin, { method: 'DELETE', path })).status).toBeLessThan(300);
    const { rows } = await page('?target=email.smtp');
    const shown = { ...values, password: '__SECRET_SET__' };
    expect(rows).toMatchObject([
      { action: 'settings.revert', actor: { kind: 'user', id: admin.id }, before: shown },
      { action: 'settings.save', actor: { kind: 'user', id: admin.id }, after: shown },
    ]);
    expect(JSON.stringify(rows)).not.toContain('hunter22');
  });

  test('a group of settings with long values has marks for them', async () => {
    const path = '/api/admin/settings/auth.signup';
    const blockedEmailDomains = Array.from({ length: 2000 }, (_, n) => `mail-${n}.example.org`);
    const body = { enabled: true, allowedEmailDomains: [], blockedEmailDomains };
    expect((await project.as(admin, { method: 'PUT', path, body })).status).toBe(200);
    expect((await project.as(admin, { method: 'DELETE', path })).status).toBeLessThan(300);
    const { rows } = await page('?target=auth.signup');
    const cut = {
      enabled: true,
      blockedEmailDomains: `[cut: ${JSON.stringify(blockedEmailDomains).length} bytes]`,
    };
    expect(rows).toMatchObject([{ before: cut }, { after: cut }]);
  });

  test('a page of large entries has fewer of them, and the next one goes on', async () => {
    await rowsOf(
      project,
      `insert into platform.audit_log (actor_kind, action, target, before, after)
       select 'user', 'large.entry', number::text, to_jsonb(repeat('x', 1500000)), to_jsonb(repeat('y', 1500000))
       from generate_series(1, 5) as number`,
    );
    const targets: unknown[][] = [];
    let next: string | null = '';
    while (next !== null) {
      const query: string = `?action=large.entry&limit=200${next === '' ? '' : `&before=${next}`}`;
      const body: Record<string, unknown> = asRecord((await read(query)).body);
      expect(body['total']).toBe(5);
      if (!Array.isArray(body['entries'])) throw new Error('no entries');
      targets.push(body['entries'].map((entry: unknown) => asRecord(entry)['target']));
      next = typeof body['next'] === 'string' ? body['next'] : null;
    }
    expect(targets).toEqual([['5', '4'], ['3', '2'], ['1']]);
    await rowsOf(project, `delete from platform.audit_log where action = 'large.entry'`);
  });

  test('filters and pages', async () => {
    await rowsOf(project, 'truncate platform.audit_log');
    await rowsOf(
      project,
      `insert into platform.audit_log (at, actor_kind, actor_id, action, target)
       select '2026-01-01'::timestamptz + number * interval '1 day', 'user', 'u' || number,
         case when number % 2 = 0 then 'user.create' else 'settings.save' end, 't' || number
       from generate_series(1, 6) as number`,
    );
    expect(await page('?action=user.create')).toMatchObject({ total: 3 });
    expect(await page('?action=settings.*')).toMatchObject({ total: 3 });
    expect(await page('?action=*')).toMatchObject({ total: 6 });
    expect(await page('?action=user')).toMatchObject({ total: 0 });
    expect(await page('?actorId=u3&actorKind=user')).toMatchObject({ total: 1 });
    expect(await page('?from=2026-01-03T00:00:00Z&to=2026-01-05T00:00:00Z')).toMatchObject({
      total: 2,
    });
    const first = await page('?limit=4');
    const second = await page(`?limit=4&before=${String(first.rows.at(-1)?.['id'])}`);
    const targets = [...first.rows, ...second.rows].map(({ target }) => target);
    expect(targets).toEqual(['t6', 't5', 't4', 't3', 't2', 't1']);
    expect(second.total).toBe(6);
  });

  test.each([
    'limit=201',
    'limit=0',
    'before=x',
    'action=%25',
    'from=x',
    'actorKind=robot',
    'page=1',
  ])('the query %s is refused', async (query) => {
    expect((await read(`?${query}`)).status).toBe(400);
  });

  test('it takes audit.read', async () => {
    const asOperator = (capability: 'audit.read' | 'secrets.manage') =>
      project.send({
        path: auditPath,
        headers: operatorHeaders(deployment, project, [capability]),
      });
    expect((await asOperator('audit.read')).status).toBe(200);
    expect((await asOperator('secrets.manage')).body).toMatchObject({
      code: 'CAPABILITY_REQUIRED',
    });
    expect((await project.send({ path: auditPath })).status).toBe(401);
  });

  test('no password and no hash is ever in it', async () => {
    await makeUser(project, { email: 'hash@example.org', password: userPassword });
    const reply = await read();
    expect(reply.text).not.toContain(userPassword);
    expect(reply.text).not.toContain('argon2');
  });
});

describe('events of administration', () => {
  const hook = (enabled: boolean) =>
    project.asService({
      method: 'PUT',
      path: '/api/admin/settings/auth.hooks',
      body: {
        events: { enabled, target: 'http', url: receiver.url, secret: receiver.secret },
      },
    });

  test('are told after the commit, signed, in their order', async () => {
    expect((await hook(true)).status).toBe(200);
    receiver.received.splice(0);
    const email = 'told@example.org';
    const id = await makeUser(project, { email, password: userPassword });
    const path = `${usersPath}/${id}`;
    await project.asService({ method: 'POST', path: `${path}/promote` });
    const body = { password: 'another password' };
    await project.asService({ method: 'POST', path: `${path}/reset-password`, body });
    await project.asService({ method: 'DELETE', path });
    // What was refused is not told.
    await project.asService({ method: 'POST', path: usersPath, body: { email: admin.email } });
    await waitFor(async () => receiver.received.length >= 4);
    expect(receiver.received.map(({ isSigned }) => isSigned)).toEqual([true, true, true, true]);
    const types = receiver.received.map(({ message }) => message.type).toSorted();
    expect(types).toEqual(['password.changed', 'user.created', 'user.deleted', 'user.updated']);
    const created = receiver.received.find(({ message }) => message.type === 'user.created');
    expect(created?.message.data).toMatchObject({ user: { id, email } });
    expect(JSON.stringify(receiver.received)).not.toMatch(/argon2|another password/);
  });
});

describe('GET /admin/hooks/deliveries', () => {
  const list = async (query: string, path = deliveriesPath) => {
    const reply = await project.asService({ path: `${path}${query}` });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    const { deliveries } = asRecord(reply.body);
    if (!Array.isArray(deliveries)) throw new Error(reply.text);
    return deliveries.map((each: unknown) => asRecord(each));
  };
  const retry = (id: string) =>
    project.asService({ method: 'POST', path: `/admin/hooks/deliveries/${id}/retry` });

  test('by hook and status, newest first, page by page', async () => {
    await rowsOf(project, 'delete from platform.outbox');
    await rowsOf(
      project,
      `insert into platform.outbox (kind, source, event_id, target, status, attempts, payload)
       select 'hook', case when number <= 2 then 'send' else 'events' end, 'evt_' || number, 'https://a.example',
         case when number % 2 = 0 then 'dead' else 'succeeded' end, 1,
         json_build_object('id', 'evt_' || number, 'type', 'user.created', 'data', '{}'::json)
       from generate_series(1, 6) as number`,
    );
    const ids = async (query: string) => (await list(query)).map(({ eventId }) => eventId);
    expect(await ids('?hook=events')).toEqual(['evt_6', 'evt_5', 'evt_4', 'evt_3']);
    expect(await ids('?status=dead')).toEqual(['evt_6', 'evt_4', 'evt_2']);
    const [, second] = await list('?limit=2', '/admin/hooks/deliveries');
    expect(await ids(`?limit=2&before=${String(second?.['id'])}`)).toEqual(['evt_4', 'evt_3']);
  });

  test('a dead event is sent again, and only a dead one', async () => {
    receiver.answer = () => ({ status: 200 });
    const [dead] = await list('?status=dead&hook=events');
    const id = String(dead?.['id']);
    const answered = await retry(id);
    expect({ status: answered.status, body: answered.body }).toEqual({
      status: 200,
      body: { id, status: 'pending' },
    });
    await waitFor(async () => {
      const [row] = await rowsOf(project, 'select status from platform.outbox where id = $1', [id]);
      return row?.['status'] === 'succeeded';
    });
    expect((await retry(id)).body).toMatchObject({ status: 404, code: 'HOOK_DELIVERY_NOT_FOUND' });
    expect(await page(`?action=hooks.retryDelivery&target=${id}`)).toMatchObject({ total: 1 });
  });

  test.each(['x', '-1', '9223372036854775808', '1%20or%20true'])(
    '%s is no delivery',
    async (id) => {
      expect((await retry(id)).status).toBe(404);
    },
  );

  test.each(['hook=x', 'status=x', 'limit=201', 'before=x'])(
    'the query %s is refused',
    async (query) => {
      expect((await project.asService({ path: `${deliveriesPath}?${query}` })).status).toBe(400);
    },
  );

  test('it takes secrets.manage', async () => {
    const asOperator = (capability: 'settings.manage' | 'secrets.manage') =>
      project.send({
        path: deliveriesPath,
        headers: operatorHeaders(deployment, project, [capability]),
      });
    expect((await asOperator('secrets.manage')).status).toBe(200);
    expect((await asOperator('settings.manage')).status).toBe(403);
  });
});
