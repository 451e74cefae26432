// Memberships over all organizations, and roles that are given without an invitation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startConsole, type TestConsole } from './console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let site: TestConsole;
let owned: OwnedProject;
let neighbor: OwnedProject;
let admin: string;
let owner: { token: string; operatorId: string; email: string };

beforeAll(async () => {
  site = await startConsole();
  [owned, neighbor] = [await openOwnedProject(site), await openOwnedProject(site)];
  admin = await site.signIn(site.admin.email, site.admin.password);
  owner = await addMember(site, owned, { role: 'owner' });
}, 60_000);
afterAll(async () => {
  await site[Symbol.asyncDispose]();
}, 60_000);

interface Row {
  readonly id: string;
  readonly operatorId: string;
  readonly organizationId: string;
  readonly projectRef: string | null;
  readonly capabilities: readonly string[];
  readonly twoFactorEnabled: boolean | null;
}

const listed = async (token: string, query = ''): Promise<readonly Row[]> => {
  const reply = await site.call('GET', `/platform/memberships${query}`, { token });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.memberships;
};

const give = (token: string, body: object, { organizationId }: OwnedProject = owned) =>
  site.call('POST', `/platform/organizations/${organizationId}/memberships`, { token, body });

const membershipsOf = async (operatorId: string): Promise<number> => {
  const rows: unknown[] = await site.fixture.controlPlane.dataSource.query(
    'select from membership where operator_id = $1',
    [operatorId],
  );
  return rows.length;
};

describe('the list', () => {
  test('has the memberships of the organizations whose members one manages', async () => {
    const support = await addMember(site, owned, { role: 'support' }, 'project');
    await addMember(site, neighbor, { role: 'viewer' });
    const own = await listed(owner.token);
    expect(new Set(own.map(({ organizationId }) => organizationId))).toEqual(
      new Set([owned.organizationId]),
    );
    expect(own.find(({ operatorId }) => operatorId === support.operatorId)).toEqual({
      id: expect.any(String),
      operatorId: support.operatorId,
      email: support.email,
      name: support.email,
      status: 'active',
      isDeploymentAdmin: false,
      twoFactorEnabled: null,
      organizationId: owned.organizationId,
      projectRef: owned.ref,
      role: 'support',
      capabilities: ['content.read', 'content.write', 'audit.read'],
      createdAt: expect.any(String),
    });
    const all = await listed(admin, '?limit=1000');
    const organizations = new Set(all.map(({ organizationId }) => organizationId));
    expect(organizations).toContain(owned.organizationId);
    expect(organizations).toContain(neighbor.organizationId);
  });

  test('has none for others: without the capability, or with it on a project alone', async () => {
    const support = await addMember(site, owned, { role: 'support' });
    expect(await listed(support.token)).toEqual([]);
    const ofProject = await addMember(site, owned, { role: 'owner' }, 'project');
    expect(await listed(ofProject.token)).toEqual([]);
  });

  test('is there for an operator with `members.manage` alone', async () => {
    const grant = { role: 'custom', capabilities: ['members.manage'] } as const;
    const manager = await addMember(site, owned, grant);
    expect((await listed(manager.token)).length).toBeGreaterThan(1);
  });

  test('shows a second factor to those alone who may remove it', async () => {
    const administrator = await addMember(site, owned, { role: 'support' });
    await site.fixture.controlPlane.dataSource.query(
      'update operator set is_deployment_admin = true, two_factor_enabled = true where id = $1',
      [administrator.operatorId],
    );
    const factorOf = (rows: readonly Row[], operatorId: string) =>
      rows.find((row) => row.operatorId === operatorId)?.twoFactorEnabled;
    const byOwner = await listed(owner.token, '?limit=1000');
    expect(factorOf(byOwner, administrator.operatorId)).toBeNull();
    expect(factorOf(byOwner, owner.operatorId)).toBe(false);
    const others = byOwner.filter(({ operatorId }) => operatorId !== owner.operatorId);
    expect(new Set(others.map(({ twoFactorEnabled }) => twoFactorEnabled))).toEqual(
      new Set([null]),
    );
    const byAdmin = await listed(admin, '?limit=1000');
    expect(factorOf(byAdmin, administrator.operatorId)).toBe(true);
    expect(factorOf(byAdmin, owner.operatorId)).toBe(false);
    const body = { operatorId: administrator.operatorId, role: 'viewer', projectRef: owned.ref };
    const given = await give(owner.token, body);
    expect(given).toMatchObject({ status: 201, body: { twoFactorEnabled: null } });
  });

  test('comes in pages', async () => {
    const all = await listed(owner.token, '?limit=1000');
    const paged: Row[] = [];
    for (let next: string | null = ''; next !== null;) {
      const query: string = next === '' ? '?limit=2' : `?limit=2&after=${next}`;
      const { body } = await site.call('GET', `/platform/memberships${query}`, {
        token: owner.token,
      });
      paged.push(...body.memberships);
      next = body.next;
    }
    expect(paged).toEqual(all);
    const refused = await site.call('GET', '/platform/memberships?after=x', { token: admin });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });
});

describe('a role without an invitation', () => {
  test('is given at once to a member of another project', async () => {
    const { operatorId, token } = await addMember(site, owned, { role: 'viewer' }, 'project');
    const settings = `/platform/organizations/${owned.organizationId}`;
    expect((await site.call('GET', settings, { token })).status).toBe(403);
    const reply = await give(owner.token, { operatorId, role: 'support' });
    expect(reply).toMatchObject({ status: 201, body: { operatorId, role: 'support' } });
    expect((await site.call('GET', settings, { token })).status).toBe(200);
    const [entry]: unknown[] = await site.fixture.controlPlane.dataSource.query(
      'select action, organization_id, operator_email, after from audit_entry where target = $1',
      [reply.body.id],
    );
    expect(entry).toMatchObject({
      action: 'member.add',
      organization_id: owned.organizationId,
      operator_email: owner.email,
      after: { operatorId, role: 'support' },
    });
  });

  test('is given by an administrator of the deployment to any operator', async () => {
    const { id: operatorId } = await site.addOperator();
    const body = { operatorId, role: 'custom', capabilities: ['audit.read'] };
    const reply = await give(admin, { ...body, projectRef: owned.ref });
    expect(reply).toMatchObject({
      status: 201,
      body: { projectRef: owned.ref, capabilities: ['audit.read'] },
    });
  });

  test.each([
    {
      name: 'an operator of another organization',
      body: async () => {
        const { operatorId } = await addMember(site, neighbor, { role: 'viewer' });
        return { operatorId, role: 'viewer' };
      },
      status: 404,
      code: 'OPERATOR_NOT_FOUND',
    },
    {
      name: 'an unknown operator',
      body: async () => ({ operatorId: 'unknown', role: 'viewer' }),
      status: 404,
      code: 'OPERATOR_NOT_FOUND',
    },
    {
      name: 'a place with a membership',
      body: async () => {
        const { operatorId } = await addMember(site, owned, { role: 'viewer' });
        return { operatorId, role: 'support' };
      },
      status: 409,
      code: 'CONFLICT',
    },
    {
      name: 'a project of another organization',
      body: async () => {
        const { operatorId } = await addMember(site, owned, { role: 'viewer' });
        return { operatorId, role: 'viewer', projectRef: neighbor.ref };
      },
      status: 404,
      code: 'PROJECT_NOT_FOUND',
    },
    {
      name: 'a custom role without capabilities',
      body: async () => ({ operatorId: owner.operatorId, role: 'custom' }),
      status: 400,
      code: 'INVALID_INPUT',
    },
  ])('is refused for $name', async ({ body, status, code }) => {
    const given = await body();
    const before = await membershipsOf(given.operatorId);
    expect(await give(owner.token, given)).toMatchObject({ status, body: { code } });
    expect(await membershipsOf(given.operatorId)).toBe(before);
  });

  test('is refused beyond the capabilities of the giver', async () => {
    const grant = { role: 'custom', capabilities: ['members.manage', 'content.read'] } as const;
    const manager = await addMember(site, owned, grant);
    const { operatorId } = await addMember(site, owned, { role: 'viewer' }, 'project');
    const more = await give(manager.token, { operatorId, role: 'support' });
    expect(more).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
    expect(await give(manager.token, { operatorId, role: 'viewer' })).toMatchObject({
      status: 201,
    });
  });
});

describe('an open invitation', () => {
  const organization = () => ({ role: 'owner' });
  const project = () => ({ role: 'owner', projectRef: owned.ref });
  const members = () => `/platform/organizations/${owned.organizationId}/members`;
  /** The token of a new invitation; administrators of the deployment see the link. */
  const invite = async (email: string, place: object): Promise<string> => {
    const body = { email, ...place };
    const reply = await site.call('POST', members(), { token: admin, body });
    expect(reply.status).toBe(201);
    return reply.body.inviteUrl.split('#token=')[1];
  };
  const accept = (session: string, token: string) =>
    site.call('POST', '/platform/operators/invitations/accept', {
      token: session,
      body: { token },
    });

  test.each([
    { name: 'joins', invited: organization, joins: organization, isOpen: false },
    {
      name: 'joins the organization of its project',
      invited: project,
      joins: organization,
      isOpen: false,
    },
    { name: 'joins its project', invited: project, joins: project, isOpen: false },
    {
      name: 'joins a project, and stays for the rest',
      invited: organization,
      joins: project,
      isOpen: true,
    },
  ])('ends when its operator $name', async ({ invited, joins, isOpen }) => {
    const operator = await site.addOperator();
    const session = await site.signIn(operator.email, operator.password);
    const token = await invite(operator.email, invited());
    const place = { ...joins(), operatorId: operator.id, role: 'viewer' };
    const { body } = await give(admin, place);
    if (isOpen) {
      const open = await site.call(
        'GET',
        `/platform/operators/invitations?organizationId=${owned.organizationId}`,
        { token: admin },
      );
      expect(open.text).toContain(operator.email);
    }
    const removal = await site.call('DELETE', `${members()}/${body.id}`, { token: admin });
    expect(removal.status).toBe(204);
    expect(await accept(session, token)).toMatchObject({
      status: 404,
      body: { code: 'INVITATION_NOT_FOUND' },
    });
    expect(await membershipsOf(operator.id)).toBe(0);
  });

  test('of another operator or to another organization stays', async () => {
    const [operator, other] = [await site.addOperator(), await site.addOperator()];
    const token = await invite(other.email, organization());
    await give(admin, { operatorId: operator.id, role: 'viewer' });
    await give(admin, { operatorId: other.id, role: 'viewer' }, neighbor);
    const session = await site.signIn(other.email, other.password);
    expect((await accept(session, token)).status).toBe(200);
    expect(await membershipsOf(other.id)).toBe(2);
  });
});
