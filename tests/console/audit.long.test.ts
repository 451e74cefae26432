import { createProject, deleteProject, recordAudit } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let console: TestConsole;
let owned: OwnedProject;
let neighbor: OwnedProject;
let owner: { token: string; operatorId: string; email: string };

beforeAll(async () => {
  console = await startConsole();
  [owned, neighbor] = [await openOwnedProject(console), await openOwnedProject(console)];
  owner = await addMember(console, owned, { role: 'owner' });
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly ref: string | null;
  readonly organizationId: string | null;
  readonly operatorEmail: string | null;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

const ofProject = (query = ''): string => `/platform/projects/${owned.ref}/audit${query}`;
const ofOrganization = (query = ''): string =>
  `/platform/organizations/${owned.organizationId}/audit${query}`;

async function entries(path: string, token = owner.token): Promise<Entry[]> {
  const reply = await console.call('GET', path, { token });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.entries;
}

describe('every change is in the log', () => {
  const domain = 'audit.example.org';
  const project = (rest = ''): string => `/platform/projects/${owned.ref}${rest}`;
  test.each([
    {
      action: 'project.rename',
      method: 'PATCH',
      path: () => project(),
      body: { name: 'Other' },
      before: { name: 'Owned' },
      after: { name: 'Other' },
    },
    {
      action: 'project.pause',
      method: 'POST',
      path: () => project('/pause'),
      before: { status: 'active' },
      after: { status: 'paused' },
    },
    {
      action: 'project.resume',
      method: 'POST',
      path: () => project('/resume'),
      before: { status: 'paused' },
      after: { status: 'active' },
    },
    {
      action: 'project.rotate-key',
      method: 'POST',
      path: () => project('/keys/rotate'),
      body: { kind: 'secret' },
      before: { hints: [expect.any(String)] },
      after: { hints: [expect.any(String)], oldKeysEndAt: expect.any(String) },
    },
    {
      action: 'project.add-domain',
      method: 'POST',
      path: () => project('/domains'),
      body: { domain },
      before: null,
      after: { domain },
    },
    {
      action: 'project.remove-domain',
      method: 'DELETE',
      path: () => project(`/domains/${domain}`),
      before: { domain },
      after: null,
    },
    {
      action: 'organization.rename',
      method: 'PATCH',
      path: () => `/platform/organizations/${owned.organizationId}`,
      body: { name: 'Org' },
      before: { name: expect.any(String) },
      after: { name: 'Org' },
    },
  ])('$action', async ({ action, method, path, body, before, after }) => {
    const reply = await console.call(method, path(), { token: owner.token, body });
    expect(reply.status).toBeLessThan(300);
    const [entry] = await entries(ofOrganization('?limit=1'));
    expect(entry).toMatchObject({
      action,
      operatorId: owner.operatorId,
      operatorEmail: owner.email,
      organizationId: owned.organizationId,
      ip: '127.0.0.1',
      requestId: reply.headers['x-request-id'],
      before,
      after,
    });
  });

  test('making and deleting a project, without its keys', async () => {
    const made = await console.call('POST', '/platform/projects', {
      token: owner.token,
      body: { name: 'Short' },
    });
    const ref = String(made.body.ref);
    await console.call('DELETE', `/platform/projects/${ref}?ref=${ref}`, { token: owner.token });
    const found = await entries(ofOrganization(`?ref=${ref}`));
    expect(found.map(({ action }) => action)).toEqual(['project.delete', 'project.create']);
    const text = JSON.stringify(found);
    expect(text).not.toContain(made.body.secretKey);
    expect(text).not.toContain(new URL(made.body.databaseUrl).password);
  });

  test('an entry is gone with the transaction that failed', async () => {
    const { dataSource } = console.fixture.controlPlane;
    const attempt = dataSource.transaction(async (manager) => {
      await recordAudit(manager, { actor: 'system', action: 'test.failed', target: 'x' });
      throw new Error('failed later');
    });
    await expect(attempt).rejects.toThrow('failed later');
    const rows = await dataSource.query(`select from audit_entry where action = 'test.failed'`);
    expect(rows).toEqual([]);
  });
});

describe('the log is read', () => {
  test('by project and by organization, and shows nothing of others', async () => {
    const own = await entries(ofProject('?limit=200'));
    expect(new Set(own.map(({ ref }) => ref))).toEqual(new Set([owned.ref]));
    const organization = await entries(ofOrganization('?limit=200'));
    expect(new Set(organization.map(({ organizationId }) => organizationId))).toEqual(
      new Set([owned.organizationId]),
    );
    const foreign = await entries(ofOrganization(`?ref=${neighbor.ref}`));
    expect(foreign).toEqual([]);
  });

  test.each([
    {
      name: 'an action',
      query: () => '?action=project.pause',
      matches: (e: Entry) => e.action === 'project.pause',
    },
    {
      name: 'the first part of an action',
      query: () => '?action=project',
      matches: (e: Entry) => e.action.startsWith('project.'),
    },
    {
      name: 'an operator',
      query: () => `?operatorId=${owner.operatorId}`,
      matches: (e: Entry) => e.operatorEmail === owner.email,
    },
    {
      name: 'what was changed',
      query: () => '?target=audit.example.org',
      matches: (e: Entry) => e.target === 'audit.example.org',
    },
    { name: 'a time in the past', query: () => '?from=2001-01-01T00:00:00Z', matches: () => true },
  ])('narrowed by $name', async ({ query, matches }) => {
    const all = await entries(ofProject('?limit=200'));
    const found = await entries(
      ofProject(`${query()}${query().includes('?') ? '&' : '?'}limit=200`),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(all.filter(matches));
  });

  test.each([
    { name: 'an action that nothing has', query: '?action=proj' },
    { name: 'an operator who did nothing', query: '?operatorId=nobody' },
    { name: 'the future', query: '?from=2999-01-01T00:00:00Z' },
    { name: 'the time before all', query: '?to=2001-01-01T00:00:00Z' },
  ])('$name finds nothing', async ({ query }) => {
    expect(await entries(ofProject(query))).toEqual([]);
  });

  test('in pages, the newest first', async () => {
    const all = await entries(ofProject('?limit=200'));
    const paged: Entry[] = [];
    let next: string | null = null;
    do {
      const query: string = `?limit=3${next === null ? '' : `&before=${next}`}`;
      const reply = await console.call('GET', ofProject(query), { token: owner.token });
      paged.push(...reply.body.entries);
      next = reply.body.next;
    } while (next !== null);
    expect(paged).toEqual(all);
    const ids = all.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  test('with fewer entries on a page where they are large', async () => {
    const { dataSource } = console.fixture.controlPlane;
    await dataSource.query(
      `insert into audit_entry (action, organization_id, ref, target, before, after)
       select 'test.large', $1, $2, number::text, to_jsonb(repeat('x', 1500000)), to_jsonb(repeat('y', 1500000))
       from generate_series(1, 3) as number`,
      [owned.organizationId, owned.ref],
    );
    const read = (rest = '') =>
      console.call('GET', ofProject(`?action=test.large&limit=200${rest}`), { token: owner.token });
    const first = await read();
    expect(first.body.entries).toMatchObject([{ target: '3' }, { target: '2' }]);
    const last = await read(`&before=${first.body.next}`);
    expect(last.body).toMatchObject({ entries: [{ target: '1' }], next: null });
    await dataSource.query(`delete from audit_entry where action = 'test.large'`);
  });

  test.each(['?from=yesterday', '?limit=0', '?before=x', '?unknown=1'])(
    'a query of %s is refused',
    async (query) => {
      const reply = await console.call('GET', ofProject(query), { token: owner.token });
      expect(reply.status).toBe(400);
    },
  );

  test('without the entries of an earlier project of another organization under the ref', async () => {
    const { context } = console.fixture;
    const ref = neighbor.ref;
    await deleteProject(context, 'system', ref);
    const { organizationId } = owned;
    await createProject(context, 'system', { name: 'Again', ref, organizationId });
    const found = await entries(`/platform/projects/${ref}/audit`);
    expect(found.map(({ action }) => action)).toEqual(['project.create']);
  });

  describe('with the values of settings', () => {
    const values = { before: { value: 'old' }, after: { status: 200, settings: { value: 'new' } } };
    const groups = {
      secret: 'email.smtp',
      open: 'auth.signup',
      restored: 'hooks',
      unknown: 'none',
    };
    beforeAll(async () => {
      const { manager } = console.fixture.controlPlane.dataSource;
      const common = { actor: 'system', action: 'project.settings', ...owned, ...values } as const;
      for (const group of Object.values(groups)) {
        const rest = group === groups.restored ? '/history/7/restore' : '';
        await recordAudit(manager, {
          ...common,
          target: `PUT /api/admin/settings/${group}${rest}`,
        });
      }
    });
    const hidden = { before: null, after: { status: 200 } };

    test.each([
      { role: 'owner', capabilities: [], shown: Object.values(groups) },
      { role: 'support', capabilities: [], shown: [] },
      { role: 'custom', capabilities: ['audit.read', 'settings.manage'], shown: [groups.open] },
      {
        role: 'custom',
        capabilities: ['audit.read', 'secrets.manage'],
        shown: [groups.secret, groups.restored, groups.unknown],
      },
    ] as const)('$role $capabilities sees those of $shown', async ({ shown, ...given }) => {
      const { role, capabilities } = given;
      const grant = role === 'custom' ? { role, capabilities: [...capabilities] } : { role };
      const { token } = await addMember(console, owned, grant);
      for (const path of [ofProject, ofOrganization]) {
        const found = await entries(path('?action=project.settings&limit=200'), token);
        const seen = found.map(({ target, before, after }) => ({ target, before, after }));
        expect(seen.toReversed()).toEqual(
          Object.values(groups).map((group) => ({
            target: expect.stringContaining(`/settings/${group}`),
            ...(shown.some((each) => each === group) ? values : hidden),
          })),
        );
      }
    });
  });

  test('in whole by an administrator of the deployment alone', async () => {
    const refused = await console.call('GET', '/platform/audit', { token: owner.token });
    expect(refused).toMatchObject({ status: 403, body: { code: 'DEPLOYMENT_ADMIN_REQUIRED' } });
    const admin = await console.signIn(console.admin.email, console.admin.password);
    const all = await entries('/platform/audit?limit=200', admin);
    expect(new Set(all.map(({ organizationId }) => organizationId)).size).toBeGreaterThan(1);
  });
});
