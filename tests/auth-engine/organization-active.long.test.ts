import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  bring,
  claimsOf,
  found,
  join,
  openOrganizations,
  type Person,
} from './organization-people.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let owner: Person;
let admin: Person;
let stranger: Person;

beforeAll(async () => {
  project = await openOrganizations();
  owner = await join(project, 'owner@x.dev');
  admin = await join(project, 'admin@x.dev');
  stranger = await join(project, 'stranger@x.dev');
});
afterAll(() => project.close());

describe('the active organization', () => {
  test('set-active needs membership, and a refusal changes nothing', async () => {
    const organizationId = await found(stranger, 'active-theirs');
    const own = await found(owner, 'active-own');
    const replies = [
      await owner.post('set-active', { organizationId }),
      await owner.post('set-active', { organizationSlug: 'active-theirs' }),
      await owner.get('get-full-organization', { organizationId }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await claimsOf(project, owner)).toMatchObject({ org_id: own });
  });

  test('set-active null clears, and a slug names an organization too', async () => {
    const organizationId = await found(owner, 'by-slug');
    const cleared = await owner.post('set-active', { organizationId: null });
    expect(cleared).toMatchObject({ status: 200, body: null });
    expect(await claimsOf(project, owner)).toBeUndefined();
    await owner.post('set-active', { organizationSlug: 'by-slug' });
    expect(await claimsOf(project, owner)).toMatchObject({ org_id: organizationId });
  });

  test('nothing but set-active sets it', async () => {
    const organizationId = await found(stranger, 'not-free');
    const headers = { authorization: `Bearer ${owner.token}` };
    const body = { activeOrganizationId: organizationId };
    for (const path of ['/update-session', '/update-user']) {
      expect((await project.post(path, { headers, body })).status).toBeGreaterThanOrEqual(400);
    }
    const [row] = await project.sql(
      'select "activeOrganizationId" as id from auth.session where "tokenHash" = sha256($1)',
      [owner.token],
    );
    expect(row).not.toEqual({ id: organizationId });
  });

  test('getActiveMember and getActiveMemberRole tell the own role', async () => {
    const organizationId = await found(owner, 'active-member');
    await bring(owner, organizationId, { person: admin, role: 'admin' });
    await admin.post('set-active', { organizationId });
    const active = await admin.get('get-active-member');
    expect(active.body).toMatchObject({ role: 'admin', userId: admin.id });
    expect(Object.keys(at(active.body, 'user') ?? {}).sort()).toEqual([
      'email',
      'id',
      'image',
      'name',
    ]);
    expect((await admin.get('get-active-member-role')).body).toEqual({ role: 'admin' });
    const theirs = await admin.get('get-active-member-role', { userId: owner.id });
    expect(theirs.body).toEqual({ role: 'owner' });
    expect((await stranger.get('get-active-member-role', { organizationId })).status).toBe(403);
  });
});
