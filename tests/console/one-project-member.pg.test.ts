// A member of one project of an organization learns nothing about its other projects: from no route of the console.
import { listRoutes } from '#apps/console/server';
import { CAPABILITIES } from '#libs/wire';
import { createProject } from '#libs/control-plane';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let site: TestConsole;
let owned: OwnedProject;
let token: string;
/** The texts that only the other project has. */
let secrets: readonly string[];
let otherRef: string;
beforeAll(async () => {
  site = await startConsole();
  owned = await openOwnedProject(site);
  const { context, actor, controlPlane } = site.fixture;
  const { organizationId } = owned;
  otherRef = uniqueWord('hid');
  const name = uniqueWord('Hidden ');
  await createProject(context, actor, { name, ref: otherRef, organizationId });
  const neighbor = await addMember(
    site,
    { organizationId, ref: otherRef },
    { role: 'developer' },
    'project',
  );
  const admin = await site.signIn(site.admin.email, site.admin.password);
  const email = `${uniqueWord('hidden')}@test.example`;
  const body = { email, organizationId, projectRef: otherRef, role: 'viewer' };
  await site.call('POST', '/platform/operators/invitations', { token: admin, body });
  await controlPlane.dataSource.query(
    `insert into operation (kind, ref, organization_id, state, deadline)
     select 'migrate', ref, organization_id, 'waiting', now() from project where organization_id = $1`,
    [organizationId],
  );
  secrets = [otherRef, name, neighbor.email, neighbor.operatorId, email];
  const grant = { role: 'custom', capabilities: [...CAPABILITIES] } as const;
  ({ token } = await addMember(site, owned, grant, 'project'));
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const get = (path: string) => site.call('GET', path, { token });

test('no route that reads answers with a name, ref or member of another project', async () => {
  const reads = listRoutes(site.app).filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/platform/') && !path.includes('*'),
  );
  expect(reads.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/platform/audit',
      '/platform/operations',
      '/platform/organizations',
      '/platform/organizations/:organizationId',
      '/platform/organizations/:organizationId/audit',
      '/platform/organizations/:organizationId/members',
      '/platform/operators/invitations',
      '/platform/projects',
      '/platform/projects/:ref/audit',
    ]),
  );
  const { organizationId, ref } = owned;
  for (const { path } of reads) {
    for (const asked of new Set([ref, otherRef])) {
      const filled = path.replace(':organizationId', organizationId).replace(':ref', asked);
      const isByOrganization = filled === '/platform/operators/invitations';
      const reply = await get(
        isByOrganization ? `${filled}?organizationId=${organizationId}` : filled,
      );
      const isClosed = path.includes(':ref') && asked === otherRef;
      if (isClosed)
        expect(reply).toMatchObject({ status: 404, body: { code: 'PROJECT_NOT_FOUND' } });
      for (const secret of secrets) expect(reply.text, filled).not.toContain(secret);
    }
  }
});

test('the member sees the own project, its members and its work', async () => {
  const organizations = await get('/platform/organizations');
  // The owner of the organization and the member work on the project.
  expect(organizations.body).toEqual({
    // All capabilities on one project are none in its organization.
    organizations: [expect.objectContaining({ projects: 1, members: 2, capabilities: [] })],
    next: null,
  });
  const projects = await get('/platform/projects');
  expect(projects.body.projects).toEqual([expect.objectContaining({ ref: owned.ref })]);
  const operations = await get('/platform/operations');
  expect(operations.body.operations).toEqual([expect.objectContaining({ ref: owned.ref })]);
  const audit = await get(`/platform/projects/${owned.ref}/audit`);
  expect(audit.body.entries.length).toBeGreaterThan(0);
});

test('a member of the organization sees all of it', async () => {
  const { token: whole } = await addMember(site, owned, { role: 'viewer' });
  const list = await site.call('GET', '/platform/organizations', { token: whole });
  const one = await site.call('GET', `/platform/organizations/${owned.organizationId}`, {
    token: whole,
  });
  expect(list.body.organizations).toEqual([one.body]);
  expect(one.body).toMatchObject({ projects: 2, members: 4, capabilities: ['content.read'] });
});

test.each([
  { name: 'filters the list of projects', path: () => `/platform/projects?search=${otherRef}` },
  { name: 'filters the list of operations', path: () => `/platform/operations?ref=${otherRef}` },
  {
    name: 'filters the audit log',
    path: () => `/platform/projects/${owned.ref}/audit?action=operator.invite`,
  },
])('the member finds nothing who $name for the other project', async ({ path }) => {
  const { status, body } = await get(path());
  expect(status).toBe(200);
  expect(Object.values(body)).toContainEqual([]);
});

test('the other project is not found by a change either', async () => {
  for (const [method, path] of [
    ['PATCH', ''],
    ['POST', '/pause'],
    ['DELETE', ''],
  ] as const) {
    const body = method === 'PATCH' ? { name: 'Mine' } : { ref: otherRef };
    const reply = await site.call(method, `/platform/projects/${otherRef}${path}`, { token, body });
    expect(reply).toMatchObject({ status: 404, body: { code: 'PROJECT_NOT_FOUND' } });
  }
});
