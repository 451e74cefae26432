import { ensureFirstOperator } from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, testPassword, type TestConsole } from './console-under-test.js';
import { openFixture } from './control-plane-fixture.js';

let site: TestConsole;
let admin: string;
let adminId: string;
beforeAll(async () => {
  site = await startConsole();
  admin = await site.signIn(site.admin.email, site.admin.password);
  adminId = (await site.call('GET', '/admin/session', { token: admin })).body.operator.id;
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const asAdmin = (method: string, path: string, body?: unknown) =>
  site.call(method, path, { token: admin, body });
const isOpen = async (token: string) =>
  (await site.call('GET', '/admin/session', { token })).status === 200;
const auditOf = (target: string): Promise<unknown[]> =>
  site.fixture.controlPlane.dataSource.query(
    `select action, operator_email, ip, before, after from audit_entry where target = $1
     order by id`,
    [target],
  );

describe('the first operator', () => {
  const fresh = async () => {
    const fixture = await openFixture();
    await fixture.controlPlane.dataSource.query('delete from membership');
    await fixture.controlPlane.dataSource.query('delete from operator');
    return fixture;
  };

  test.each([
    {
      name: 'from address and password needs no change',
      given: { email: 'First@Test.example', password: testPassword },
      result: { created: true, email: 'first@test.example' },
      mustChange: false,
    },
    {
      name: 'without a password gets one that must be changed',
      given: { email: 'first@test.example' },
      result: {
        created: true,
        email: 'first@test.example',
        generatedPassword: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
      },
      mustChange: true,
    },
    {
      name: 'without anything gets both',
      given: {},
      result: {
        created: true,
        email: 'operator@rowhouse.local',
        generatedPassword: expect.any(String),
      },
      mustChange: true,
    },
  ])('$name', async ({ given, result, mustChange }) => {
    await using fixture = await fresh();
    expect(await ensureFirstOperator(fixture.controlPlane, given)).toEqual(result);
    expect(await ensureFirstOperator(fixture.controlPlane, given)).toEqual({ created: false });
    const rows: unknown[] = await fixture.controlPlane.dataSource.query(
      `select o.is_deployment_admin, o.must_change_password, m.role, m.project_ref, g.name
       from operator o join membership m on m.operator_id = o.id
       join organization g on g.id = m.organization_id`,
    );
    expect(rows).toEqual([
      {
        is_deployment_admin: true,
        must_change_password: mustChange,
        role: 'owner',
        project_ref: null,
        name: 'Default',
      },
    ]);
  });

  test('is not made with what is no address', async () => {
    await using fixture = await fresh();
    const made = ensureFirstOperator(fixture.controlPlane, { email: 'first\u{202E}@test.example' });
    await expect(made).rejects.toThrow('OPERATOR_EMAIL: must be an email address');
    expect(await fixture.controlPlane.dataSource.query('select from operator')).toEqual([]);
  });

  test('is made once by two processes that start together', async () => {
    await using fixture = await fresh();
    const results = await Promise.all([
      ensureFirstOperator(fixture.controlPlane),
      ensureFirstOperator(fixture.controlPlane),
    ]);
    expect(results.map(({ created }) => created).toSorted()).toEqual([false, true]);
  });
});

describe('administration', () => {
  test('lists operators in pages', async () => {
    await site.addOperator('aaa@test.example');
    const { body } = await asAdmin('GET', '/platform/operators?limit=1');
    expect(body.total).toBeGreaterThan(1);
    expect(body.operators).toEqual([
      {
        id: expect.any(String),
        email: 'aaa@test.example',
        name: 'aaa@test.example',
        status: 'active',
        isDeploymentAdmin: false,
        mustChangePassword: false,
        twoFactorEnabled: false,
        createdAt: expect.any(String),
        lastSignInAt: null,
      },
    ]);
    const next = await asAdmin('GET', `/platform/operators?limit=1&after=${body.next}`);
    expect(next.body.operators[0].email).not.toBe('aaa@test.example');
    expect((await asAdmin('GET', '/platform/operators?limit=0')).status).toBe(400);
  });

  test('disables an operator, whose sessions and logins end at once', async () => {
    const { id, email, password } = await site.addOperator();
    const token = await site.signIn(email, password);
    const reply = await asAdmin('PATCH', `/platform/operators/${id}`, { status: 'disabled' });
    expect(reply).toMatchObject({ status: 200, body: { id, status: 'disabled' } });
    expect(await isOpen(token)).toBe(false);
    const refused = await site.call('POST', '/platform/login', { body: { email, password } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'USER_INACTIVE' } });
    const wrong = await site.call('POST', '/platform/login', { body: { email, password: 'x' } });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    await asAdmin('PATCH', `/platform/operators/${id}`, { status: 'active' });
    expect(await isOpen(token)).toBe(false);
    expect(await isOpen(await site.signIn(email, password))).toBe(true);
    expect(await auditOf(id)).toEqual([
      {
        action: 'operator.update',
        operator_email: site.admin.email,
        ip: '127.0.0.1',
        before: { status: 'active', isDeploymentAdmin: false },
        after: { status: 'disabled', isDeploymentAdmin: false },
      },
      expect.objectContaining({ after: { status: 'active', isDeploymentAdmin: false } }),
    ]);
  });

  test.each([{ status: 'disabled' }, { isDeploymentAdmin: false }])(
    'keeps the last administrator: %j',
    async (changes) => {
      const reply = await asAdmin('PATCH', `/platform/operators/${adminId}`, changes);
      expect(reply).toMatchObject({ status: 409, body: { code: 'LAST_DEPLOYMENT_ADMIN' } });
      expect(await isOpen(admin)).toBe(true);
    },
  );

  test('keeps one of two administrators who are demoted at once', async () => {
    const { dataSource } = site.fixture.controlPlane;
    const { id, email, password } = await site.addOperator();
    await asAdmin('PATCH', `/platform/operators/${id}`, { isDeploymentAdmin: true });
    const second = await site.signIn(email, password);
    // Both requests arrive at locked rows, so that they go on at the same moment.
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('select from operator for update');
    // Each demotes himself: who is demoted by the other is no administrator any more, and gets 403.
    const demoted = [
      { token: second, operator: id },
      { token: admin, operator: adminId },
    ].map(({ token, operator }) =>
      site.call('PATCH', `/platform/operators/${operator}`, {
        token,
        body: { isDeploymentAdmin: false },
      }),
    );
    await waitFor(async () => {
      const rows: unknown[] = await dataSource.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length === 2;
    });
    await holder.commitTransaction();
    await holder.release();
    const statuses = (await Promise.all(demoted)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    await dataSource.query('update operator set is_deployment_admin = (id = $1)', [adminId]);
  });

  test('resets an operator to a password for one login', async () => {
    const { id, email, password } = await site.addOperator();
    const token = await site.signIn(email, password);
    const { status, body } = await asAdmin('POST', `/platform/operators/${id}/reset`, {});
    expect(status).toBe(200);
    expect(body).toEqual({ email, generatedPassword: expect.stringMatching(/^\w{24}$/) });
    expect(await isOpen(token)).toBe(false);
    const old = await site.call('POST', '/platform/login', { body: { email, password } });
    expect(old.status).toBe(401);
    const login = await site.call('POST', '/platform/login', {
      body: { email, password: body.generatedPassword },
    });
    expect(login.body.mustChangePassword).toBe(true);
    expect(JSON.stringify(await auditOf(id))).not.toContain(body.generatedPassword);
  });

  test('opens a locked account again with a reset', async () => {
    const { id, email } = await site.addOperator();
    for (let n = 0; n < 11; n++) {
      await site.call('POST', '/platform/login', { body: { email, password: 'wrong' } });
    }
    const { body } = await asAdmin('POST', `/platform/operators/${id}/reset`, {});
    await site.signIn(email, body.generatedPassword);
  });

  test.each([
    { removeSecondFactor: true, twoFactor: false },
    { removeSecondFactor: false, twoFactor: true },
  ])('a reset with removeSecondFactor $removeSecondFactor', async ({ twoFactor, ...body }) => {
    const { id, email } = await site.addOperator();
    const { dataSource } = site.fixture.controlPlane;
    await dataSource.query('update operator set two_factor_enabled = true where id = $1', [id]);
    await dataSource.query(
      `insert into operator_two_factor (id, operator_id, secret, backup_codes, verified)
       values ($1, $1, 'sealed', 'sealed', true)`,
      [id],
    );
    const reset = await asAdmin('POST', `/platform/operators/${id}/reset`, body);
    const login = await site.call('POST', '/platform/login', {
      body: { email, password: reset.body.generatedPassword },
    });
    expect(login.body.twoFactor).toBe(twoFactor);
  });

  test('notes the last sign-in', async () => {
    const { id, email, password } = await site.addOperator();
    const lastSignIn = async () => {
      const { body } = await asAdmin('GET', '/platform/operators?limit=200');
      return body.operators.find((operator: { id: string }) => operator.id === id).lastSignInAt;
    };
    await site.call('POST', '/platform/login', { body: { email, password: 'wrong' } });
    expect(await lastSignIn()).toBeNull();
    await site.signIn(email, password);
    expect(await lastSignIn()).toEqual(expect.any(String));
  });

  test('sees the sessions of an operator and ends one of them or all', async () => {
    const { id, email, password } = await site.addOperator();
    const [one, other] = [await site.signIn(email, password), await site.signIn(email, password)];
    const path = `/platform/operators/${id}/sessions`;
    const { body: sessions } = await asAdmin('GET', path);
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({ userAgent: 'test', isCurrent: false });
    expect(JSON.stringify(sessions)).not.toContain(one);
    expect((await asAdmin('DELETE', `${path}/${sessions[1].id}`)).status).toBe(204);
    expect([await isOpen(one), await isOpen(other)].toSorted()).toEqual([false, true]);
    expect((await asAdmin('DELETE', `${path}/${sessions[1].id}`)).body.code).toBe(
      'SESSION_NOT_FOUND',
    );
    expect((await asAdmin('DELETE', path)).status).toBe(204);
    expect([await isOpen(one), await isOpen(other)]).toEqual([false, false]);
    expect(await auditOf(id)).toEqual([
      expect.objectContaining({
        action: 'operator.session.end',
        before: { email, session: sessions[1].id },
      }),
      expect.objectContaining({
        action: 'operator.session.end-all',
        before: { email, sessions: 1 },
      }),
    ]);
  });

  test('ends no session of one operator under the id of another', async () => {
    const { id } = await site.addOperator();
    const { email, password, id: otherId } = await site.addOperator();
    const token = await site.signIn(email, password);
    const { body: sessions } = await asAdmin('GET', `/platform/operators/${otherId}/sessions`);
    const reply = await asAdmin('DELETE', `/platform/operators/${id}/sessions/${sessions[0].id}`);
    expect(reply).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
    expect(await isOpen(token)).toBe(true);
  });

  test('deletes an operator with memberships and sessions', async () => {
    const { id, email, password } = await site.addOperator();
    const token = await site.signIn(email, password);
    expect((await asAdmin('DELETE', `/platform/operators/${id}`)).status).toBe(204);
    expect(await isOpen(token)).toBe(false);
    const again = await site.call('POST', '/platform/login', { body: { email, password } });
    expect(again.body.code).toBe('INVALID_CREDENTIALS');
    expect(await auditOf(id)).toEqual([
      expect.objectContaining({
        action: 'operator.delete',
        before: { email, name: email, isDeploymentAdmin: false },
      }),
    ]);
  });

  test('deletes the open invitations to the address, which would bring the account back', async () => {
    const { id, email } = await site.addOperator();
    const organization = await asAdmin('POST', '/platform/organizations', { name: 'Inviting' });
    const invited = await asAdmin('POST', '/platform/operators/invitations', {
      email,
      role: 'viewer',
      organizationId: organization.body.id,
    });
    expect(invited.status).toBe(201);
    const token = String(new URL(invited.body.inviteUrl).hash.replace('#token=', ''));
    expect((await asAdmin('DELETE', `/platform/operators/${id}`)).status).toBe(204);
    const accepted = await site.call('POST', '/platform/operators/invitations/accept', {
      body: { token, password: 'a brand new passphrase', name: 'Back' },
    });
    expect(accepted.body.code).toBe('INVITATION_NOT_FOUND');
  });

  test('deletes neither the own account nor the last owner of an organization', async () => {
    const own = await asAdmin('DELETE', `/platform/operators/${adminId}`);
    expect(own).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await isOpen(admin)).toBe(true);
    const { id } = await site.addOperator();
    const organization = await asAdmin('POST', '/platform/organizations', { name: 'Kept' });
    const place = `/platform/organizations/${organization.body.id}`;
    await asAdmin('POST', `${place}/memberships`, { operatorId: id, role: 'owner' });
    const { body } = await asAdmin('GET', `${place}/members`);
    const mine = body.members.find(
      ({ operatorId }: { operatorId: string }) => operatorId === adminId,
    );
    expect((await asAdmin('DELETE', `${place}/members/${mine.id}`)).status).toBe(204);
    const last = await asAdmin('DELETE', `/platform/operators/${id}`);
    expect(last).toMatchObject({ status: 409, body: { code: 'LAST_OWNER' } });
    expect(last.body.hint).toContain('Kept');
    await asAdmin('POST', `${place}/memberships`, { operatorId: adminId, role: 'owner' });
    expect((await asAdmin('DELETE', `/platform/operators/${id}`)).status).toBe(204);
  });

  test.each([
    { method: 'DELETE', path: '/platform/operators/unknown' },
    { method: 'GET', path: '/platform/operators/unknown/sessions' },
    { method: 'DELETE', path: '/platform/operators/unknown/sessions' },
    { method: 'DELETE', path: '/platform/operators/unknown/sessions/unknown' },
    { method: 'PATCH', path: '/platform/operators/unknown' },
    { method: 'POST', path: '/platform/operators/unknown/reset' },
  ])('$method of an unknown operator is 404', async ({ method, path }) => {
    const reply = await asAdmin(method, path, method === 'GET' ? undefined : {});
    expect(reply).toMatchObject({ status: 404, body: { code: 'OPERATOR_NOT_FOUND' } });
  });
});
