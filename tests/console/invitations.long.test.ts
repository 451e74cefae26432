import { createProject } from '#libs/control-plane';
import { CAPABILITIES } from '#libs/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uniqueWord } from './control-plane-fixture.js';
import { startConsole, testPassword, type TestConsole } from './console-under-test.js';
import { mailedToken } from './members-fixture.js';

let site: TestConsole;
let owner: string;
let organizationId: string;
let ref: string;
beforeAll(async () => {
  site = await startConsole();
  owner = await site.signIn(site.admin.email, site.admin.password);
  ({ organizationId } = site.fixture);
  ref = uniqueWord('inv');
  const { context, actor } = site.fixture;
  await createProject(context, actor, { name: 'Invited', ref, organizationId });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const path = '/platform/operators/invitations';
const address = () => `${uniqueWord('new')}@test.example`;
const invite = (body: object, token = owner) =>
  site.call('POST', path, { token, body: { organizationId, role: 'viewer', ...body } });
const accept = (body: object, token?: string) =>
  site.call('POST', `${path}/accept`, { token, body });
const tokenIn = (inviteUrl: string) => inviteUrl.split('#token=')[1] ?? '';
const list = () => site.call('GET', `${path}?organizationId=${organizationId}`, { token: owner });
const sql = <T>(text: string, values: unknown[]): Promise<T[]> =>
  site.fixture.controlPlane.dataSource.query(text, values);
const memberships = (email: string): Promise<unknown[]> =>
  sql(
    `select m.organization_id, m.project_ref, m.role, m.capabilities
     from membership m join operator o on o.id = m.operator_id where o.email = $1`,
    [email],
  );

test('an organization has 500 open invitations at most', async () => {
  const place = uniqueWord('full');
  const full = `org-${place}`;
  await sql('insert into organization (id, name, slug) values ($1, $2, $2)', [full, place]);
  await sql(
    `insert into operator_invitation (id, email, organization_id, role, token_hash, invited_by, expires_at)
     select $1 || n, $1 || n || '@test.example', $2, 'viewer', $1 || n, $3, now() + interval '1 day'
     from generate_series(1, 500) n`,
    [place, full, site.fixture.actor.operatorId],
  );
  const email = address();
  const refused = await invite({ email, organizationId: full });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'CONFLICT' });
  expect(await sql('select from operator_invitation where email = $1', [email])).toEqual([]);
  // One that takes the place of another is no further one.
  expect((await invite({ email: `${place}7@test.example`, organizationId: full })).status).toBe(
    201,
  );
});

describe('an invitation', () => {
  test('is shown once with its link, listed without it, and stored as a hash', async () => {
    const email = address();
    const { status, body } = await invite({ email: email.toUpperCase(), role: 'developer' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email, role: 'developer', projectRef: null });
    expect(body.mail).toMatchObject({ status: 'queued', attempts: 0, lastError: null });
    expect(body.inviteUrl).toMatch(/^http:\/\/console\.test\/invitation#token=[\w-]{43}$/);
    const token = tokenIn(body.inviteUrl);
    const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);

    const listed = await list();
    const { inviteUrl: _shownOnce, ...shown } = body;
    expect(listed.body.invitations).toContainEqual(shown);
    expect(listed.text).not.toContain(token);
    const stored = await sql(
      `select to_jsonb(i) from operator_invitation i where id = $1
       union all select to_jsonb(a) from audit_entry a where target = $1
       union all select to_jsonb(m) from operator_message m where invitation_id = $1`,
      [body.id],
    );
    expect(stored).toHaveLength(3);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('makes an operator with the membership, once', async () => {
    const email = address();
    const { body } = await invite({ email, role: 'developer' });
    const token = tokenIn(body.inviteUrl);
    const accepted = await accept({ token, name: 'New', password: testPassword });
    expect(accepted).toMatchObject({ status: 200, body: { email, organizationId } });
    expect(await memberships(email)).toEqual([
      { organization_id: organizationId, project_ref: null, role: 'developer', capabilities: [] },
    ]);
    const session = await site.signIn(email, testPassword);
    const { body: seen } = await site.call('GET', '/admin/session', { token: session });
    expect(seen.operator).toMatchObject({ name: 'New', isDeploymentAdmin: false });
    const again = await accept({ token, password: testPassword });
    expect(again).toMatchObject({ status: 404, body: { code: 'INVITATION_NOT_FOUND' } });
    expect((await list()).text).not.toContain(body.id);
  });

  test.each([
    { name: 'removed', change: 'delete from membership where operator_id = $1' },
    {
      name: 'made a viewer',
      change: `update membership set role = 'viewer' where operator_id = $1`,
    },
    { name: 'disabled', change: `update operator set status = 'disabled' where id = $1` },
  ])('ends when its inviter is $name', async ({ change }) => {
    const inviter = address();
    const first = tokenIn((await invite({ email: inviter, role: 'owner' })).body.inviteUrl);
    const { operatorId } = (await accept({ token: first, password: testPassword })).body;
    const session = await site.signIn(inviter, testPassword);
    const email = address();
    const { body } = await invite({ email, role: 'owner' }, session);
    await sql(change, [operatorId]);
    const token = await mailedToken(site, body.id);
    expect(token).not.toBe('');
    const reply = await accept({ token, password: testPassword });
    expect(reply).toMatchObject({ status: 404, body: { code: 'INVITATION_NOT_FOUND' } });
    expect(await sql('select from operator where email = $1', [email])).toEqual([]);
  });

  test('is used by one of several who come at once', async () => {
    const email = address();
    const token = tokenIn((await invite({ email })).body.inviteUrl);
    const replies = await Promise.all(
      [1, 2, 3].map(() => accept({ token, password: testPassword })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await memberships(email)).toHaveLength(1);
  });

  test('may be for one project, with capabilities one by one', async () => {
    const email = address();
    const capabilities = ['content.read', 'audit.read'];
    const { body } = await invite({ email, role: 'custom', capabilities, projectRef: ref });
    await accept({ token: tokenIn(body.inviteUrl), password: testPassword });
    expect(await memberships(email)).toEqual([
      {
        organization_id: organizationId,
        project_ref: ref,
        role: 'custom',
        capabilities: expect.arrayContaining(capabilities),
      },
    ]);
    const token = await site.signIn(email, testPassword);
    const seen = await site.call('GET', `/platform/projects/${ref}`, { token });
    expect(seen.status).toBe(200);
  });

  test('replaces the earlier one to the same place', async () => {
    const email = address();
    const first = await invite({ email });
    const second = await invite({ email, role: 'support' });
    const stale = await accept({ token: tokenIn(first.body.inviteUrl), password: testPassword });
    expect(stale.status).toBe(404);
    const reply = await accept({ token: tokenIn(second.body.inviteUrl), password: testPassword });
    expect(reply.status).toBe(200);
  });

  test.each([
    {
      name: 'expired',
      end: (id: string) =>
        sql('update operator_invitation set expires_at = now() where id = $1', [id]),
    },
    {
      name: 'revoked',
      end: async (id: string) => {
        const one = `${path}/${id}?organizationId=${organizationId}`;
        expect((await site.call('DELETE', one, { token: owner })).status).toBe(204);
        expect((await site.call('DELETE', one, { token: owner })).status).toBe(404);
      },
    },
  ])('is worth nothing when it is $name', async ({ end }) => {
    const email = address();
    const { body } = await invite({ email });
    await end(body.id);
    const reply = await accept({ token: tokenIn(body.inviteUrl), password: testPassword });
    expect(reply).toMatchObject({ status: 404, body: { code: 'INVITATION_NOT_FOUND' } });
    expect((await list()).text).not.toContain(body.id);
    expect(await sql('select from operator where email = $1', [email])).toHaveLength(0);
  });

  test.each([
    { name: 'a short password', body: { password: 'short' }, field: 'password' },
    { name: 'no password', body: {}, field: 'password' },
  ])('stays open after an accept with $name', async ({ body, field }) => {
    const token = tokenIn((await invite({ email: address() })).body.inviteUrl);
    const refused = await accept({ token, ...body });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(refused.body.message).toContain(field);
    expect((await accept({ token, password: testPassword })).status).toBe(200);
  });
});

describe('an invitation of an operator', () => {
  test('asks for the session, then adds the membership', async () => {
    const { email, password } = await site.addOperator();
    const token = tokenIn((await invite({ email, role: 'support' })).body.inviteUrl);
    const without = await accept({ token, password: 'a password of an attacker' });
    expect(without).toMatchObject({ status: 409, body: { code: 'OPERATOR_EXISTS' } });
    expect((await accept({ token }, await site.signIn(email, password))).status).toBe(200);
    expect(await memberships(email)).toEqual([expect.objectContaining({ role: 'support' })]);
  });

  test('is not for an operator of another address', async () => {
    const email = address();
    const stranger = await site.addOperator();
    const token = tokenIn((await invite({ email })).body.inviteUrl);
    const session = await site.signIn(stranger.email, stranger.password);
    expect(await accept({ token }, session)).toMatchObject({
      status: 403,
      body: {
        code: 'INVITATION_FOR_SOMEBODY_ELSE',
        message: expect.stringContaining('another email address'),
      },
    });
    expect(await memberships(stranger.email)).toEqual([]);
  });
});

test('an invitation does not tell whether its address is an operator before it is used', async () => {
  const { email } = await site.addOperator();
  const bodies = await Promise.all(
    [email, address()].map(async (each) => {
      const token = tokenIn((await invite({ email: each })).body.inviteUrl);
      return (await accept({ token, password: 'short' })).body.message;
    }),
  );
  expect(bodies[0]).toEqual(bodies[1]);
});

describe('who invites', () => {
  const member = async (capabilities: readonly string[]) => {
    const { id, email, password } = await site.addOperator();
    await sql(
      `insert into membership (id, operator_id, organization_id, role, capabilities)
       values ($1, $1, $2, 'custom', $3)`,
      [id, organizationId, capabilities],
    );
    return site.signIn(email, password);
  };

  test('gives nothing away that the own membership lacks', async () => {
    const token = await member(['members.manage', 'content.read']);
    expect((await invite({ email: address(), role: 'viewer' }, token)).status).toBe(201);
    for (const role of ['owner', 'developer', 'support']) {
      const reply = await invite({ email: address(), role }, token);
      expect(reply).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
    }
    const custom = { role: 'custom', capabilities: [...CAPABILITIES] };
    expect((await invite({ email: address(), ...custom }, token)).status).toBe(403);
  });

  test('neither revokes, replaces nor mails what gives more than the own membership', async () => {
    const token = await member(['members.manage', 'content.read']);
    const email = address();
    const { body } = await invite({ email, role: 'owner' });
    const refused = { status: 403, body: { code: 'CAPABILITY_REQUIRED' } };
    const one = `${path}/${body.id}?organizationId=${organizationId}`;
    expect(await site.call('DELETE', one, { token })).toMatchObject(refused);
    expect(await invite({ email, role: 'viewer' }, token)).toMatchObject(refused);
    const mail = `${path}/${body.id}/mail?organizationId=${organizationId}`;
    expect(await site.call('POST', mail, { token })).toMatchObject(refused);
    const reply = await accept({ token: tokenIn(body.inviteUrl), password: testPassword });
    expect(reply.status).toBe(200);
    expect(await memberships(email)).toEqual([expect.objectContaining({ role: 'owner' })]);
  });

  test('invites only to projects of the organization', async () => {
    const [other]: { id: string }[] = await sql(
      `insert into organization (id, name, slug) values ($1, $1, $1) returning id`,
      [uniqueWord('org')],
    );
    const reply = await invite({
      email: address(),
      organizationId: other?.id,
      projectRef: ref,
    });
    expect(reply).toMatchObject({ status: 404, body: { code: 'PROJECT_NOT_FOUND' } });
  });

  test('revokes only invitations of the organization', async () => {
    const { body } = await invite({ email: address() });
    const { id, email, password } = await site.addOperator();
    const foreign = uniqueWord('org');
    await sql(`insert into organization (id, name, slug) values ($1, $1, $1)`, [foreign]);
    await sql(
      `insert into membership (id, operator_id, organization_id, role) values ($1, $1, $2, 'owner')`,
      [id, foreign],
    );
    const reply = await site.call('DELETE', `${path}/${body.id}?organizationId=${foreign}`, {
      token: await site.signIn(email, password),
    });
    expect(reply.status).toBe(404);
    expect((await list()).text).toContain(body.id);
  });

  test.each([
    { name: 'an address that is none', body: { email: 'nobody' }, field: 'email' },
    { name: 'an unknown role', body: { email: 'a@b.example', role: 'king' }, field: 'role' },
    {
      name: 'an unknown capability',
      body: { email: 'a@b.example', role: 'custom', capabilities: ['everything'] },
      field: 'capabilities',
    },
  ])('is refused with $name', async ({ body, field }) => {
    const reply = await invite(body);
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(reply.body.message).toContain(field);
  });
});

test('without a mail server there is the link alone', async () => {
  await using mute = await startConsole({ canMail: false });
  const token = await mute.signIn(mute.admin.email, mute.admin.password);
  const query = { organizationId: mute.fixture.organizationId };
  const body = { ...query, email: address(), role: 'viewer' };
  const reply = await mute.call('POST', path, { token, body });
  expect(reply).toMatchObject({ status: 201, body: { mail: null } });
  expect(reply.body.inviteUrl).toContain('#token=');
  const ask = `?organizationId=${query.organizationId}`;
  const listed = await mute.call('GET', `${path}${ask}`, { token });
  expect(listed.body.invitations).toMatchObject([{ mail: null }]);
  const retried = await mute.call('POST', `${path}/${reply.body.id}/mail${ask}`, { token });
  expect(retried).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});
