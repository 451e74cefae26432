// Organizations, identity providers and API keys: each operation has its route, and the rest is the server's.
import { expect, test } from 'vitest';

import { authClient, wireOf } from '../../tests/auth-client.js';
import type { RowhouseClient } from '../client.js';

type Auth = RowhouseClient['auth'];
type Call = (auth: Auth) => Promise<{ readonly data: unknown; readonly error: unknown }>;

interface Row {
  readonly operation: string;
  readonly call: Call;
  /** Method and target below `/api/auth`. */
  readonly route: string;
  readonly body?: unknown;
}

const read = (operation: string, route: string, call: Call): Row => ({
  operation,
  call,
  route: `GET ${route}`,
});
const write = (operation: string, route: string, call: Call, body: unknown): Row => ({
  operation,
  call,
  route: `POST ${route}`,
  body,
});

const oidcConfig = { clientId: 'c', clientSecret: 's', scopes: ['openid'] };
const provider = { providerId: 'p', issuer: 'https://idp.test', domain: 'corp.test', oidcConfig };
const slug = { name: 'A', slug: 'a' };

/** Operations whose one argument is sent as it is. */
function sentAsGiven<Given>(
  operation: string,
  route: string,
  { call, given }: { call: (auth: Auth, given: Given) => ReturnType<Call>; given: Given },
): Row {
  return write(operation, route, (auth) => call(auth, given), given);
}

const organizations: readonly Row[] = [
  sentAsGiven('create', '/organization/create', {
    call: ({ organization }, given) => organization.create(given),
    given: { ...slug, keepCurrentActiveOrganization: true },
  }),
  sentAsGiven('update', '/organization/update', {
    call: ({ organization }, given) => organization.update(given),
    given: { organizationId: 'o', data: { name: 'B' } },
  }),
  write('delete', '/organization/delete', (auth) => auth.organization.delete(), {}),
  read('list', '/organization/list', (auth) => auth.organization.list()),
  read(
    'getFullOrganization',
    '/organization/get-full-organization?organizationSlug=a&membersLimit=5',
    (auth) => auth.organization.getFullOrganization({ organizationSlug: 'a', membersLimit: 5 }),
  ),
  sentAsGiven('setActive', '/organization/set-active', {
    call: ({ organization }, given) => organization.setActive(given),
    given: { organizationId: null },
  }),
  sentAsGiven('checkSlug', '/organization/check-slug', {
    call: ({ organization }, given) => organization.checkSlug(given),
    given: { slug: 'a' },
  }),
  sentAsGiven('leave', '/organization/leave', {
    call: ({ organization }, given) => organization.leave(given),
    given: { organizationId: 'o' },
  }),
  read(
    'listMembers',
    '/organization/list-members?limit=10&offset=20&sortBy=createdAt&sortDirection=desc',
    (auth) =>
      auth.organization.listMembers({
        limit: 10,
        offset: 20,
        sortBy: 'createdAt',
        sortDirection: 'desc',
      }),
  ),
  read('getActiveMember', '/organization/get-active-member', (auth) =>
    auth.organization.getActiveMember(),
  ),
  read('getActiveMemberRole', '/organization/get-active-member-role?userId=u', (auth) =>
    auth.organization.getActiveMemberRole({ userId: 'u' }),
  ),
  sentAsGiven('removeMember', '/organization/remove-member', {
    call: ({ organization }, given) => organization.removeMember(given),
    given: { memberIdOrEmail: 'a@b.c' },
  }),
  sentAsGiven('updateMemberRole', '/organization/update-member-role', {
    call: ({ organization }, given) => organization.updateMemberRole(given),
    given: { memberId: 'm', role: 'admin' as const },
  }),
  sentAsGiven('hasPermission', '/organization/has-permission', {
    call: ({ organization }, given) => organization.hasPermission(given),
    given: { permissions: { invitation: ['create'] } },
  }),
  sentAsGiven('inviteMember', '/organization/invite-member', {
    call: ({ organization }, given) => organization.inviteMember(given),
    given: { organizationId: 'o', email: 'a@b.c', role: 'member' as const },
  }),
  sentAsGiven('acceptInvitation', '/organization/accept-invitation', {
    call: ({ organization }, given) => organization.acceptInvitation(given),
    given: { invitationId: 'i' },
  }),
  sentAsGiven('rejectInvitation', '/organization/reject-invitation', {
    call: ({ organization }, given) => organization.rejectInvitation(given),
    given: { invitationId: 'i' },
  }),
  sentAsGiven('cancelInvitation', '/organization/cancel-invitation', {
    call: ({ organization }, given) => organization.cancelInvitation(given),
    given: { invitationId: 'i' },
  }),
  read('getInvitation', '/organization/get-invitation?id=i', (auth) =>
    auth.organization.getInvitation({ id: 'i' }),
  ),
  read('listInvitations', '/organization/list-invitations?organizationId=o', (auth) =>
    auth.organization.listInvitations({ organizationId: 'o' }),
  ),
  read('listUserInvitations', '/organization/list-user-invitations', (auth) =>
    auth.organization.listUserInvitations(),
  ),
  sentAsGiven('createTeam', '/organization/create-team', {
    call: ({ organization }, given) => organization.createTeam(given),
    given: { name: 'T' },
  }),
  sentAsGiven('updateTeam', '/organization/update-team', {
    call: ({ organization }, given) => organization.updateTeam(given),
    given: { teamId: 't', data: { name: 'U' } },
  }),
  sentAsGiven('removeTeam', '/organization/remove-team', {
    call: ({ organization }, given) => organization.removeTeam(given),
    given: { teamId: 't' },
  }),
  read('listTeams', '/organization/list-teams', (auth) => auth.organization.listTeams()),
  sentAsGiven('setActiveTeam', '/organization/set-active-team', {
    call: ({ organization }, given) => organization.setActiveTeam(given),
    given: { teamId: null },
  }),
  read('listUserTeams', '/organization/list-user-teams', (auth) =>
    auth.organization.listUserTeams(),
  ),
  read('listTeamMembers', '/organization/list-team-members?teamId=t', (auth) =>
    auth.organization.listTeamMembers({ teamId: 't' }),
  ),
  sentAsGiven('addTeamMember', '/organization/add-team-member', {
    call: ({ organization }, given) => organization.addTeamMember(given),
    given: { teamId: 't', userId: 'u' },
  }),
  sentAsGiven('removeTeamMember', '/organization/remove-team-member', {
    call: ({ organization }, given) => organization.removeTeamMember(given),
    given: { teamId: 't', userId: 'u' },
  }),
];

const providers: readonly Row[] = [
  sentAsGiven('register', '/sso/register', {
    call: ({ sso }, given) => sso.register(given),
    given: { ...provider, organizationId: 'o' },
  }),
  read('get', '/sso/get-provider?providerId=p', (auth) => auth.sso.get({ providerId: 'p' })),
  sentAsGiven('update', '/sso/update-provider', {
    call: ({ sso }, given) => sso.update(given),
    given: { providerId: 'p', oidcConfig: { scopes: ['openid', 'email'] } },
  }),
  sentAsGiven('delete', '/sso/delete-provider', {
    call: ({ sso }, given) => sso.delete(given),
    given: { providerId: 'p' },
  }),
];

const keys: readonly Row[] = [
  sentAsGiven('create', '/api-key/create', {
    call: ({ apiKey }, given) => apiKey.create(given),
    given: { name: 'ci', expiresIn: 3600 },
  }),
  read('list', '/api-key/list?limit=5', (auth) => auth.apiKey.list({ limit: 5 })),
  read('get', '/api-key/get?id=k', (auth) => auth.apiKey.get({ id: 'k' })),
  sentAsGiven('update', '/api-key/update', {
    call: ({ apiKey }, given) => apiKey.update(given),
    given: { keyId: 'k', enabled: false },
  }),
  sentAsGiven('delete', '/api-key/delete', {
    call: ({ apiKey }, given) => apiKey.delete(given),
    given: { keyId: 'k' },
  }),
];

const rows = [
  ...organizations.map((row) => ({ namespace: 'organization', ...row })),
  ...providers.map((row) => ({ namespace: 'sso', ...row })),
  ...keys.map((row) => ({ namespace: 'apiKey', ...row })),
];

test.each(rows)('$namespace.$operation', async ({ call, route, body }) => {
  const { auth, sent } = authClient([{ body: { id: 'x' } }], { token: 'tok' });
  expect(await call(auth)).toEqual({ data: { id: 'x' }, error: null });
  const [method, target] = route.replace(' ', ' /api/auth').split(' ');
  const headers = { authorization: 'Bearer tok' };
  const expected = { method, target, headers, ...(body !== undefined && { body }) };
  expect(sent.map(wireOf)).toEqual([expected]);
});

test.each(rows)('$namespace.$operation gives the refusal of the server', async ({ call }) => {
  const refused = { status: 403, body: { message: 'no', code: 'FULL' } };
  const { auth } = authClient([refused], { token: 'tok' });
  const answer = await call(auth);
  expect(answer).toMatchObject({ data: null, error: { status: 403, code: 'FULL', message: 'no' } });
});

test('there is a row for every operation', () => {
  const { auth } = authClient([]);
  const named = (namespace: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(namespace)).filter((n) => n !== 'constructor');
  const covered = (of: readonly Row[]) => of.map(({ operation }) => operation).sort();
  expect(covered(organizations)).toEqual(named(auth.organization).sort());
  expect([...covered(providers), 'list'].sort()).toEqual(named(auth.sso).sort());
  expect(covered(keys)).toEqual(named(auth.apiKey).sort());
});

test.each([
  { name: 'as a list', body: [provider] },
  { name: 'in an object', body: { providers: [provider] } },
])('sso.list gives the providers that the server sends $name', async ({ body }) => {
  const { auth, sent } = authClient([{ body }], { token: 'tok' });
  expect((await auth.sso.list()).data).toEqual({ providers: [provider] });
  expect(sent[0]?.target).toBe('/api/auth/sso/providers');
});

test('with a secret key, providers of the project are registered as the key', async () => {
  const { auth, sent } = authClient([{ body: {} }], { key: 'svc_secret_1' });
  await auth.sso.register(provider);
  expect(sent.map(wireOf)[0]?.headers).toEqual({ apikey: 'svc_secret_1' });
});

test('an operation that a signed-out visitor tries is the answer of the server', async () => {
  const refused = { status: 401, body: { message: 'Sign in', code: 'UNAUTHORIZED' } };
  const { auth, sent } = authClient([refused]);
  expect((await auth.organization.list()).error).toMatchObject({ status: 401 });
  expect(sent).toHaveLength(1);
});
