// Organizations and SSO of the specification, row by row.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn } from './administration.js';
import {
  completeSettings,
  createWith,
  done,
  fieldOf,
  outcomeOf,
  post,
  save,
  site,
  takeMail,
} from './complete-project.js';
import { originOf } from './redirects.js';

let deployment: Deployment;
let sms: SmsGateway;
let oidc: OidcIdentityProvider;
let project: ProjectUnderTest;
beforeAll(async () => {
  [deployment, sms, oidc] = await Promise.all([
    Deployment.shared('outbound'),
    openSmsGateway(),
    openOidcIdentityProvider(),
  ]);
  project = await createWith(deployment, completeSettings(sms));
});
afterAll(async () => {
  await deployment.close();
  await Promise.all([sms.close(), oidc.close()]);
});

let count = 0;
const next = (name: string) => `${name}${(count += 1)}`;
const newUser = (extra: object = {}) =>
  makeSignedIn(project, `${next('row')}@example.org`, { emailVerified: true, ...extra });

interface Person extends SignedIn {
  readonly get: (operation: string) => Promise<Reply>;
  readonly post: (operation: string, body?: object) => Promise<Reply>;
}
async function person(base = 'organization', extra: object = {}): Promise<Person> {
  const user = await newUser(extra);
  const headers = { authorization: `Bearer ${user.token}` };
  return {
    ...user,
    get: (operation) => project.send({ path: `/api/auth/${base}/${operation}`, headers }),
    post: (operation, body = {}) => post(project, `/${base}/${operation}`, body, headers),
  };
}
const found = async (owner: Person, more: object = {}) =>
  fieldOf(await done(owner.post('create', { name: 'Org', slug: next('org-'), ...more })), 'id');
const bring = async (owner: Person, organizationId: string, role = 'member') => {
  const member = await person();
  const invited = await done(
    owner.post('invite-member', { organizationId, email: member.email, role }),
  );
  const accepted = await done(
    member.post('accept-invitation', { invitationId: fieldOf(invited, 'id') }),
  );
  return { member, memberId: String(asRecord(asRecord(accepted.body)['member'])['id']) };
};

describe('Organizations', () => {
  test('create sends name and slug, and makes the new one active unless keepCurrentActiveOrganization', async () => {
    const owner = await person();
    const first = await found(owner);
    const active = async () => fieldOf(await done(owner.get('get-full-organization')), 'id');
    expect(await active()).toBe(first);
    await found(owner, { keepCurrentActiveOrganization: true });
    expect(await active()).toBe(first);
    expect(await found(owner)).toBe(await active());
    expect((await owner.post('create', { name: 'Org' })).status).toBe(400);
  });

  test('update, list, getFullOrganization, setActive, checkSlug, leave, delete', async () => {
    const owner = await person();
    const organizationId = await found(owner);
    await done(owner.post('update', { organizationId, data: { name: 'New name' } }));
    expect((await owner.get('list')).body).toMatchObject([
      { id: organizationId, name: 'New name' },
    ]);
    const full = await owner.get(`get-full-organization?organizationId=${organizationId}`);
    expect(full.body).toMatchObject({
      id: organizationId,
      members: [{ userId: owner.id, role: 'owner' }],
    });
    expect((await owner.post('set-active', { organizationId: null })).status).toBe(200);
    expect((await owner.post('check-slug', { slug: next('free-') })).status).toBe(200);
    expect((await owner.post('check-slug', { slug: fieldOf(full, 'slug') })).status).toBe(400);
    const { member } = await bring(owner, organizationId);
    await done(member.post('leave', { organizationId }));
    expect((await member.get('list')).body).toEqual([]);
    expect((await member.post('delete', { organizationId })).status).toBeGreaterThanOrEqual(400);
    await done(owner.post('delete', { organizationId }));
    expect((await owner.get('list')).body).toEqual([]);
  });

  test('allowUserToCreateOrganization off: end users create none', async () => {
    const owner = await person();
    await save(project, 'auth.organization', {
      teamsEnabled: true,
      allowUserToCreateOrganization: false,
    });
    const reply = await owner.post('create', { name: 'Org', slug: next('org-') });
    await save(project, 'auth.organization', { teamsEnabled: true });
    expect(reply.status).toBe(403);
  });

  test('every operation requires a signed-in user', async () => {
    const bodies = {
      create: { name: 'x', slug: 'x' },
      delete: { organizationId: 'x' },
      'set-active': { organizationId: 'x' },
      'invite-member': { email: 'a@b.example', role: 'member' },
      'accept-invitation': { invitationId: 'x' },
      'create-team': { name: 'x' },
    };
    for (const [operation, body] of Object.entries(bodies)) {
      const reply = await post(project, `/organization/${operation}`, body);
      expect({ operation, outcome: outcomeOf(reply) }).toEqual({
        operation,
        outcome: '401 UNAUTHORIZED',
      });
    }
  });
});

describe('Members', () => {
  test('listMembers, getActiveMember, getActiveMemberRole, updateMemberRole, hasPermission, removeMember', async () => {
    const owner = await person();
    const organizationId = await found(owner);
    const { member, memberId } = await bring(owner, organizationId);
    const page = await owner.get(`list-members?organizationId=${organizationId}&limit=1&offset=1`);
    expect(page.body).toMatchObject({ total: 2, members: [{ userId: member.id }] });
    await done(member.post('set-active', { organizationId }));
    expect((await member.get('get-active-member')).body).toMatchObject({
      userId: member.id,
      role: 'member',
    });
    expect((await member.get('get-active-member-role')).body).toMatchObject({ role: 'member' });
    const may = async () => {
      const permissions = { member: ['delete'] };
      return asRecord((await member.post('has-permission', { permissions })).body)['success'];
    };
    expect(await may()).toBe(false);
    await done(owner.post('update-member-role', { organizationId, memberId, role: 'admin' }));
    expect(await may()).toBe(true);
    await done(owner.post('remove-member', { organizationId, memberIdOrEmail: memberId }));
    expect((await member.get('list')).body).toEqual([]);
  });
});

describe('Invitations', () => {
  test('inviteMember, getInvitation, listInvitations, listUserInvitations, reject, cancel, accept', async () => {
    const owner = await person();
    const organizationId = await found(owner);
    const guest = await person();
    const invite = async () => {
      const body = { organizationId, email: guest.email, role: 'member' };
      return fieldOf(await done(owner.post('invite-member', body)), 'id');
    };
    const first = await invite();
    expect((await guest.get(`get-invitation?id=${first}`)).body).toMatchObject({
      email: guest.email,
    });
    expect(
      (await owner.get(`list-invitations?organizationId=${organizationId}`)).body,
    ).toMatchObject([{ id: first, status: 'pending' }]);
    expect((await guest.get('list-user-invitations')).body).toMatchObject([{ id: first }]);
    await done(guest.post('reject-invitation', { invitationId: first }));
    const second = await invite();
    await done(owner.post('cancel-invitation', { invitationId: second }));
    expect(
      (await guest.post('accept-invitation', { invitationId: second })).status,
    ).toBeGreaterThanOrEqual(400);
    const third = await invite();
    await done(guest.post('accept-invitation', { invitationId: third }));
    expect((await guest.get('list')).body).toMatchObject([{ id: organizationId }]);
  });

  test('the invitation email carries the invitation id', async () => {
    const owner = await person();
    const organizationId = await found(owner);
    const email = `${next('mailed')}@example.org`;
    const body = { organizationId, email, role: 'admin' };
    const id = fieldOf(await done(owner.post('invite-member', body)), 'id');
    expect(await takeMail(project, email)).toContain(id);
  });

  test('accept is subject to maxMembers', async () => {
    const owner = await person();
    const organizationId = await found(owner);
    const guest = await person();
    const body = { organizationId, email: guest.email, role: 'member' };
    const invitationId = fieldOf(await done(owner.post('invite-member', body)), 'id');
    await save(project, 'auth.organization', { teamsEnabled: true, maxMembers: 1 });
    const full = await guest.post('accept-invitation', { invitationId });
    await save(project, 'auth.organization', { teamsEnabled: true });
    expect(outcomeOf(full)).toBe('403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED');
    await done(guest.post('accept-invitation', { invitationId }));
  });
});

describe('Teams', () => {
  test('create, update, list, setActive, members and remove, and only within the organization', async () => {
    const owner = await person();
    const organizationId = await found(owner);
    const { member } = await bring(owner, organizationId);
    const teamId = fieldOf(
      await done(owner.post('create-team', { name: 'A', organizationId })),
      'id',
    );
    await done(owner.post('update-team', { teamId, data: { name: 'B' } }));
    expect((await owner.get(`list-teams?organizationId=${organizationId}`)).text).toContain('"B"');
    await done(owner.post('add-team-member', { teamId, userId: member.id }));
    expect((await member.get('list-user-teams')).text).toContain(teamId);
    await done(member.post('set-active', { organizationId }));
    await done(member.post('set-active-team', { teamId }));
    expect((await owner.get(`list-team-members?teamId=${teamId}`)).text).toContain(member.id);
    const stranger = await person();
    expect(
      (await owner.post('add-team-member', { teamId, userId: stranger.id })).status,
    ).toBeGreaterThanOrEqual(400);
    await done(owner.post('remove-team-member', { teamId, userId: member.id }));
    await done(owner.post('remove-team', { teamId, organizationId }));
    expect((await owner.get(`list-teams?organizationId=${organizationId}`)).text).not.toContain(
      teamId,
    );
  });

  test('only when teamsEnabled', async () => {
    const owner = await person();
    await save(project, 'auth.organization', {});
    const reply = await owner.post('create-team', { name: 'A' });
    await save(project, 'auth.organization', { teamsEnabled: true });
    expect(reply.status).toBe(404);
  });
});

describe('SSO provider', () => {
  const bodyOf = (providerId: string, more: object = {}) => ({
    providerId,
    issuer: oidc.issuer,
    domain: `${providerId}.test`,
    oidcConfig: { clientId: 'c', clientSecret: 'hush-hush', scopes: ['openid', 'email'] },
    ...more,
  });

  test('register returns redirectURI; list, get by providerId and update omit secrets; delete', async () => {
    const admin = await person('sso', { role: 'ADMIN' });
    const providerId = next('corp');
    const made = await done(admin.post('register', bodyOf(providerId)));
    const redirectURI = `${originOf(project)}/api/auth/sso/callback/${providerId}`;
    expect(made.body).toMatchObject({ providerId, issuer: oidc.issuer, redirectURI });
    const listed = await admin.get('providers');
    const got = await admin.get(`get-provider?providerId=${providerId}`);
    const issuer = oidc.issuer;
    const update = { providerId, issuer, oidcConfig: { scopes: ['openid'] } };
    const updated = await done(admin.post('update-provider', update));
    for (const { text } of [made, listed, got, updated]) {
      expect([text.includes(providerId), text.includes('hush-hush')]).toEqual([true, false]);
    }
    await done(admin.post('delete-provider', { providerId }));
    expect((await admin.get(`get-provider?providerId=${providerId}`)).status).toBe(404);
  });

  test('only an organization owner or admin may manage a provider scoped to it', async () => {
    const owner = await person();
    const organizationId = await found(owner);
    const { member } = await bring(owner, organizationId);
    const providerId = next('scoped');
    const body = bodyOf(providerId, { organizationId });
    const as = (who: SignedIn, operation: string, sent: object) =>
      post(project, `/sso/${operation}`, sent, { authorization: `Bearer ${who.token}` });
    expect((await as(member, 'register', body)).status).toBe(403);
    expect((await as(await newUser(), 'register', body)).status).toBe(403);
    await done(as(owner, 'register', body));
    expect((await as(member, 'delete-provider', { providerId })).status).toBeGreaterThanOrEqual(
      403,
    );
    await done(as(owner, 'delete-provider', { providerId }));
    const projectWide = await as(owner, 'register', bodyOf(next('wide')));
    expect(projectWide.status).toBe(403);
  });

  test('sign-in by email, providerId, domain or organizationSlug; optional redirect target', async () => {
    const admin = await person('sso', { role: 'ADMIN' });
    const providerId = next('ways');
    await done(admin.post('register', bodyOf(providerId)));
    const domain = `${providerId}.test`;
    const owner = await person();
    const organizationSlug = next('org-');
    const organizationId = await found(owner, { slug: organizationSlug });
    const clientId = 'of-the-organization';
    const oidcConfig = { clientId, clientSecret: 'hush-hush' };
    const scoped = bodyOf(next('scoped'), { organizationId, oidcConfig });
    const as = { authorization: `Bearer ${owner.token}` };
    await done(post(project, '/sso/register', scoped, as));
    const ways = [
      { by: { email: `pat@${domain}` }, client: 'c' },
      { by: { providerId }, client: 'c' },
      { by: { domain }, client: 'c' },
      { by: { organizationSlug }, client: clientId },
    ];
    for (const { by, client } of ways) {
      const url = new URL(fieldOf(await done(post(project, '/sign-in/sso', by)), 'url'));
      expect(url.href).toContain(oidc.issuer);
      expect({ by, client: url.searchParams.get('client_id') }).toEqual({ by, client });
    }
    const elsewhere = { organizationSlug: next('org-') };
    await found(owner, { slug: elsewhere.organizationSlug });
    expect(outcomeOf(await post(project, '/sign-in/sso', elsewhere))).toBe(
      '404 SSO_PROVIDER_NOT_FOUND',
    );
    const target = { providerId, callbackURL: `${site}/in` };
    expect((await post(project, '/sign-in/sso', target)).status).toBe(200);
  });
});
