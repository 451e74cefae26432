import { addMembership, capabilitiesOn } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';
import { addMember, mailedToken, openOwnedProject, type OwnedProject } from './members-fixture.js';

let console: TestConsole;
let owned: OwnedProject;
let neighbor: OwnedProject;
let admin: string;
let owner: { token: string; operatorId: string };

beforeAll(async () => {
  console = await startConsole();
  [owned, neighbor] = [await openOwnedProject(console), await openOwnedProject(console)];
  admin = await console.signIn(console.admin.email, console.admin.password);
  owner = await addMember(console, owned, { role: 'owner' });
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

const organization = (rest = '', of: OwnedProject = owned): string =>
  `/platform/organizations/${of.organizationId}${rest}`;

async function membershipOf(operatorId: string): Promise<string> {
  const rows: { id: string }[] = await console.fixture.controlPlane.dataSource.query(
    'select id from membership where operator_id = $1 and organization_id = $2',
    [operatorId, owned.organizationId],
  );
  return rows[0]?.id ?? '';
}

describe('organizations', () => {
  test('an administrator makes, renames and deletes one', async () => {
    const made = await console.call('POST', '/platform/organizations', {
      token: admin,
      body: { name: 'Müller & Söhne' },
    });
    expect(made).toMatchObject({ status: 201, body: { name: 'Müller & Söhne', members: 1 } });
    expect(made.body.slug).toMatch(/^m-ller-s-hne-[a-z0-9]{6}$/);
    const target = `/platform/organizations/${made.body.id}`;
    expect(
      await console.call('PATCH', target, { token: admin, body: { name: 'Renamed' } }),
    ).toMatchObject({ status: 200, body: { name: 'Renamed', slug: made.body.slug } });
    expect(await console.call('DELETE', target, { token: admin })).toMatchObject({ status: 204 });
    expect(await console.call('GET', target, { token: admin })).toMatchObject({ status: 404 });
  });

  test('a slug is taken once', async () => {
    const make = (): ReturnType<TestConsole['call']> =>
      console.call('POST', '/platform/organizations', {
        token: admin,
        body: { name: 'Twice', slug: 'twice' },
      });
    expect(await make()).toMatchObject({ status: 201 });
    expect(await make()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  test.each(['Upper', 'a--b', '-a', 'a b', 'x'.repeat(41)])(
    'the slug %s is refused',
    async (slug) => {
      const reply = await console.call('POST', '/platform/organizations', {
        token: admin,
        body: { name: 'x', slug },
      });
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    },
  );

  test('an owner makes none', async () => {
    const body = { name: 'Mine' };
    const reply = await console.call('POST', '/platform/organizations', {
      token: owner.token,
      body,
    });
    expect(reply).toMatchObject({ status: 403, body: { code: 'DEPLOYMENT_ADMIN_REQUIRED' } });
  });

  test('one with projects is not deleted', async () => {
    const reply = await console.call('DELETE', organization(), { token: owner.token });
    expect(reply).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  test('who manages its members neither renames nor deletes it', async () => {
    const body = { name: uniqueWord('Empty ') };
    const created = await console.call('POST', '/platform/organizations', { token: admin, body });
    const organizationId = String(created.body.id);
    const manager = await console.addOperator();
    await addMembership(console.fixture.controlPlane.dataSource.manager, {
      operatorId: manager.id,
      organizationId,
      grant: { role: 'custom', capabilities: ['members.manage'] },
    });
    const token = await console.signIn(manager.email, manager.password);
    const path = `/platform/organizations/${organizationId}`;
    const refused = { status: 403, body: { code: 'CAPABILITY_REQUIRED' } };
    expect(await console.call('PATCH', path, { token, body: { name: 'Mine' } })).toMatchObject(
      refused,
    );
    expect(await console.call('DELETE', path, { token })).toMatchObject(refused);
    const found = await console.call('GET', path, { token: admin });
    expect(found).toMatchObject({ status: 200, body });
    expect((await console.call('DELETE', path, { token: admin })).status).toBe(204);
  });

  test('operators see their own only', async () => {
    const reply = await console.call('GET', '/platform/organizations', { token: owner.token });
    expect(reply.body.organizations).toEqual([
      expect.objectContaining({ id: owned.organizationId, projects: 1 }),
    ]);
    const other = await console.call('GET', organization('', neighbor), { token: owner.token });
    expect(other).toMatchObject({ status: 404, body: { code: 'ORGANIZATION_NOT_FOUND' } });
  });
});

describe('members', () => {
  const add = (body: object, token = owner.token): ReturnType<TestConsole['call']> =>
    console.call('POST', organization('/members'), { token, body });

  const accept = async (
    added: Awaited<ReturnType<typeof add>>,
    operator: { readonly email: string; readonly password: string },
  ): Promise<void> => {
    const token = await mailedToken(console, String(added.body.id));
    const session = await console.signIn(operator.email, operator.password);
    const reply = await console.call('POST', '/platform/operators/invitations/accept', {
      token: session,
      body: { token },
    });
    expect(reply.status).toBe(200);
  };

  test('an address is invited alike whether it is an operator or not', async () => {
    const operator = await console.addOperator();
    const known = await add({ email: operator.email, role: 'support' });
    const unknown = await add({ email: 'nobody@test.example', role: 'support' });
    expect([known.status, unknown.status]).toEqual([201, 201]);
    const shape = ({ body }: typeof known) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value]));
    expect(shape(known)).toEqual(shape(unknown));
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    const listed = await console.call('GET', organization('/members'), { token: owner.token });
    expect(listed.text).not.toContain(operator.email);
  });

  test('an operator is invited by email address, in any case, and listed once accepted', async () => {
    const operator = await console.addOperator();
    const added = await add({ email: operator.email.toUpperCase(), role: 'support' });
    expect(added.status).toBe(201);
    await accept(added, operator);
    const listed = await console.call('GET', organization('/members'), { token: owner.token });
    expect(listed.body.members).toContainEqual(
      expect.objectContaining({
        operatorId: operator.id,
        email: operator.email,
        role: 'support',
        projectRef: null,
        capabilities: ['content.read', 'content.write', 'audit.read'],
      }),
    );
  });

  test('a change of role works with the next request', async () => {
    const member = await addMember(console, owned, { role: 'viewer' });
    const target = organization(`/members/${await membershipOf(member.operatorId)}`);
    const pause = (): ReturnType<TestConsole['call']> =>
      console.call('POST', `/platform/projects/${owned.ref}/resume`, { token: member.token });
    expect(await pause()).toMatchObject({ status: 403 });
    const changed = await console.call('PATCH', target, {
      token: owner.token,
      body: { role: 'custom', capabilities: ['projects.manage'] },
    });
    expect(changed.status).toBe(204);
    expect(await pause()).toMatchObject({ status: 200 });
    expect(await console.call('DELETE', target, { token: owner.token })).toMatchObject({
      status: 204,
    });
    expect(await pause()).toMatchObject({ status: 404 });
  });

  test.each([
    {
      name: 'no address',
      body: { email: 'x', role: 'viewer' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'an unknown role',
      body: { email: 'a@b.test', role: 'god' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'an unknown capability',
      body: { email: 'a@b.test', role: 'custom', capabilities: ['all'] },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'custom without capabilities',
      body: { email: 'a@b.test', role: 'custom' },
      status: 400,
      code: 'INVALID_INPUT',
    },
  ])('$name is refused', async ({ body, status, code }) => {
    expect(await add(body)).toMatchObject({ status, body: { code } });
  });

  test('an empty list of capabilities is refused by its name, and nothing changes', async () => {
    const member = await addMember(console, owned, { role: 'viewer' });
    const id = await membershipOf(member.operatorId);
    const token = owner.token;
    const grant = { role: 'custom', capabilities: [] };
    const refused = {
      status: 400,
      body: { code: 'INVALID_INPUT', message: 'capabilities: must not be empty' },
    };
    expect(await add({ email: 'empty@b.test', ...grant })).toMatchObject(refused);
    const patched = await console.call('PATCH', organization(`/members/${id}`), {
      token,
      body: grant,
    });
    expect(patched).toMatchObject(refused);
    const { dataSource } = console.fixture.controlPlane;
    const { organizationId } = owned;
    expect(await capabilitiesOn(dataSource, member.operatorId, { organizationId })).toEqual([
      'content.read',
    ]);
  });

  test('the same membership twice is refused and stays what it was', async () => {
    const operator = await console.addOperator();
    await accept(await add({ email: operator.email, role: 'developer' }), operator);
    const again = await add({ email: operator.email, role: 'viewer' });
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const { dataSource } = console.fixture.controlPlane;
    const { organizationId } = owned;
    expect(await capabilitiesOn(dataSource, operator.id, { organizationId })).toContain(
      'secrets.manage',
    );
  });

  test('a project of another organization cannot be named', async () => {
    const operator = await console.addOperator();
    const reply = await add({ email: operator.email, role: 'viewer', projectRef: neighbor.ref });
    expect(reply).toMatchObject({ status: 404, body: { code: 'PROJECT_NOT_FOUND' } });
  });

  test('a membership of another organization cannot be touched', async () => {
    const stranger = await addMember(console, neighbor, { role: 'viewer' });
    const rows: { id: string }[] = await console.fixture.controlPlane.dataSource.query(
      'select id from membership where operator_id = $1',
      [stranger.operatorId],
    );
    const target = organization(`/members/${rows[0]?.id}`);
    const reply = await console.call('DELETE', target, { token: owner.token });
    expect(reply).toMatchObject({ status: 404, body: { code: 'MEMBERSHIP_NOT_FOUND' } });
  });

  test('nobody gives, changes or takes more than they have', async () => {
    const manager = await addMember(console, owned, {
      role: 'custom',
      capabilities: ['members.manage', 'content.read'],
    });
    const other = await console.addOperator();
    const refused = { status: 403, body: { code: 'CAPABILITY_REQUIRED' } };
    const body = { email: other.email, role: 'owner' };
    expect(await add(body, manager.token)).toMatchObject(refused);
    const self = organization(`/members/${await membershipOf(manager.operatorId)}`);
    const promote = { token: manager.token, body: { role: 'owner' } };
    expect(await console.call('PATCH', self, promote)).toMatchObject(refused);
    const above = organization(`/members/${await membershipOf(owner.operatorId)}`);
    expect(await console.call('DELETE', above, { token: manager.token })).toMatchObject(refused);
    const allowed = await add({ email: other.email, role: 'viewer' }, manager.token);
    expect(allowed.status).toBe(201);
  });
});

describe('the last owner', () => {
  async function organizationWithOneOwner(): Promise<{ owned: OwnedProject; owners: string[] }> {
    const lonely = await openOwnedProject(console);
    const rows: { id: string }[] = await console.fixture.controlPlane.dataSource.query(
      `select id from membership where organization_id = $1 and role = 'owner'`,
      [lonely.organizationId],
    );
    return { owned: lonely, owners: rows.map(({ id }) => id) };
  }

  test.each([
    { name: 'removed', method: 'DELETE', body: undefined },
    { name: 'given another role', method: 'PATCH', body: { role: 'viewer' } },
  ])('cannot be $name', async ({ method, body }) => {
    const { owned: lonely, owners } = await organizationWithOneOwner();
    const target = organization(`/members/${owners[0]}`, lonely);
    const reply = await console.call(method, target, { token: admin, body });
    expect(reply).toMatchObject({ status: 409, body: { code: 'LAST_OWNER' } });
  });

  test('two owners who remove each other at once do not both succeed', async () => {
    const { owned: lonely, owners } = await organizationWithOneOwner();
    const second = await addMember(console, lonely, { role: 'owner' });
    const rows: { id: string }[] = await console.fixture.controlPlane.dataSource.query(
      'select id from membership where operator_id = $1',
      [second.operatorId],
    );
    const replies = await Promise.all(
      [owners[0], rows[0]?.id].map((id) =>
        console.call('DELETE', organization(`/members/${id}`, lonely), { token: admin }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });

  test('an owner who is disabled does not count', async () => {
    const { owned: lonely, owners } = await organizationWithOneOwner();
    const second = await addMember(console, lonely, { role: 'owner' });
    await console.fixture.controlPlane.dataSource.query(
      `update operator set status = 'disabled' where id = $1`,
      [second.operatorId],
    );
    const target = organization(`/members/${owners[0]}`, lonely);
    const reply = await console.call('DELETE', target, { token: admin });
    expect(reply).toMatchObject({ status: 409, body: { code: 'LAST_OWNER' } });
  });
});

describe('rights do not reach across', () => {
  test('an owner of one organization is a stranger in another', async () => {
    const { dataSource } = console.fixture.controlPlane;
    const { operatorId } = owner;
    expect(await capabilitiesOn(dataSource, operatorId, { ref: owned.ref })).toHaveLength(8);
    expect(await capabilitiesOn(dataSource, operatorId, { ref: neighbor.ref })).toBeUndefined();
    const { organizationId } = neighbor;
    expect(await capabilitiesOn(dataSource, operatorId, { organizationId })).toBeUndefined();
  });

  test('a membership on a project gives nothing in its organization', async () => {
    const { operatorId } = await addMember(console, owned, { role: 'owner' }, 'project');
    const { dataSource } = console.fixture.controlPlane;
    const { organizationId, ref } = owned;
    expect(await capabilitiesOn(dataSource, operatorId, { ref })).toHaveLength(8);
    expect(await capabilitiesOn(dataSource, operatorId, { organizationId })).toEqual([]);
  });

  test('memberships on the organization and the project add up', async () => {
    const { operatorId } = await addMember(console, owned, { role: 'viewer' });
    const { dataSource } = console.fixture.controlPlane;
    await dataSource.query(
      `insert into membership (id, operator_id, organization_id, project_ref, role, capabilities)
       values ($1, $1, $2, $3, 'custom', '{audit.read}')`,
      [operatorId, owned.organizationId, owned.ref],
    );
    expect(await capabilitiesOn(dataSource, operatorId, { ref: owned.ref })).toEqual([
      'content.read',
      'audit.read',
    ]);
  });

  test('nothing is left to an operator who is disabled', async () => {
    const { operatorId } = await addMember(console, owned, { role: 'owner' });
    const { dataSource } = console.fixture.controlPlane;
    await dataSource.query(`update operator set status = 'disabled' where id = $1`, [operatorId]);
    expect(await capabilitiesOn(dataSource, operatorId, { ref: owned.ref })).toBeUndefined();
  });
});
