// Administration: the routes, who they are called as, and what cannot be sent.
import { describe, expect, test } from 'vitest';

import { authClient, user, wireOf } from '../../tests/auth-client.js';
import type { RowhouseClient } from '../client.js';

type Admin = RowhouseClient['auth']['admin'];

const apikey = { apikey: 'svc_secret_1' };
const key = 'svc_secret_1';

interface Row {
  readonly name: string;
  readonly call: (admin: Admin) => Promise<{ readonly data: unknown; readonly error: unknown }>;
  readonly wire: { readonly method: string; readonly target: string; readonly body?: unknown };
  readonly reply?: unknown;
  readonly data?: unknown;
}

const at = (method: string, path: string, body?: unknown) => ({
  method,
  target: `/api/admin/users${path}`,
  ...(body !== undefined && { body }),
});

const rows: readonly Row[] = [
  {
    name: 'listUsers gives a page and says which comes next',
    call: (admin) => admin.listUsers({ page: 2, perPage: 10, search: 'ada&co' }),
    wire: at('GET', '?page=2&perPage=10&search=ada&co'),
    reply: { users: [user], total: 25 },
    data: { users: [user], total: 25, lastPage: 3, nextPage: 3 },
  },
  {
    name: 'listUsers without parameters gives the first page',
    call: (admin) => admin.listUsers(),
    wire: at('GET', ''),
    reply: { users: [], total: 0 },
    data: { users: [], total: 0, lastPage: 1, nextPage: null },
  },
  {
    name: 'getUserById gives what belongs to the user too',
    call: (admin) => admin.getUserById('u1'),
    wire: at('GET', '/u1'),
    reply: { user, sessions: [{ id: 's1' }] },
    data: { user, sessions: [{ id: 's1' }] },
  },
  {
    name: 'createUser',
    call: (admin) => admin.createUser({ email: 'a@b.c', password: 'p', role: 'ADMIN' }),
    wire: at('POST', '', { email: 'a@b.c', password: 'p', role: 'ADMIN' }),
    reply: user,
    data: { user },
  },
  {
    name: 'updateUserById changes fields',
    call: (admin) => admin.updateUserById('u1', { name: 'Ada', app_metadata: { a: 1 } }),
    wire: at('PATCH', '/u1', { name: 'Ada', app_metadata: { a: 1 } }),
    reply: { user },
    data: { user },
  },
  {
    name: 'signOut ends every session',
    call: (admin) => admin.signOut('u1'),
    wire: at('DELETE', '/u1/sessions'),
    reply: { status: true },
    data: null,
  },
  {
    name: 'deleteUser',
    call: (admin) => admin.deleteUser('u1'),
    wire: at('DELETE', '/u1'),
    reply: { status: true },
    data: { user: null, status: true },
  },
  {
    name: 'inviteUserByEmail',
    call: (admin) => admin.inviteUserByEmail('a@b.c', { redirectTo: 'http://x/', data: { a: 1 } }),
    wire: at('POST', '/invite', {
      email: 'a@b.c',
      flow: 'code',
      redirectTo: 'http://x/',
      data: { a: 1 },
    }),
    reply: { user },
    data: { user },
  },
  {
    name: 'inviteUserByEmail with a link that sets a cookie',
    call: (admin) => admin.inviteUserByEmail('a@b.c', { flow: 'cookie' }),
    wire: at('POST', '/invite', { email: 'a@b.c', flow: 'cookie' }),
    reply: { user },
    data: { user },
  },
  {
    name: 'generateLink gives a link',
    call: (admin) =>
      admin.generateLink({
        type: 'signup',
        email: 'a@b.c',
        password: 'p',
        options: { redirectTo: 'http://x/' },
      }),
    wire: at('POST', '/generate-link', {
      type: 'signup',
      email: 'a@b.c',
      password: 'p',
      flow: 'code',
      redirectTo: 'http://x/',
    }),
    reply: { user, properties: { action_link: 'http://link/' } },
    data: { user, properties: { action_link: 'http://link/' } },
  },
  {
    name: 'generateLink for recovery gives a code',
    call: (admin) => admin.generateLink({ type: 'recovery', email: 'a@b.c' }),
    wire: at('POST', '/generate-link', { type: 'recovery', email: 'a@b.c', flow: 'code' }),
    reply: { user, email_otp: '123456' },
    data: { user, properties: { email_otp: '123456' } },
  },
  {
    name: 'mfa.listFactors',
    call: (admin) => admin.mfa.listFactors({ userId: 'u1' }),
    wire: at('GET', '/u1/factors'),
    reply: { factors: [{ id: 'totp' }] },
    data: { factors: [{ id: 'totp' }] },
  },
  {
    name: 'mfa.deleteFactor',
    call: (admin) => admin.mfa.deleteFactor({ userId: 'u1', id: 'totp' }),
    wire: at('DELETE', '/u1/factors/totp'),
    reply: { status: true },
    data: { id: 'totp' },
  },
];

test.each(rows)('$name', async ({ call, wire, reply, data }) => {
  const { auth, sent } = authClient([{ body: reply }], { key });
  expect(await call(auth.admin)).toEqual({ data, error: null });
  expect(sent.map(wireOf)).toEqual([{ ...wire, headers: apikey }]);
});

test('a new password is set before the rest is changed', async () => {
  const { auth, sent } = authClient([{ body: {} }, { body: { user } }], { key });
  await auth.admin.updateUserById('u1', { password: 'new', name: 'Ada' });
  expect(sent.map(wireOf)).toEqual([
    { ...at('POST', '/u1/reset-password', { password: 'new' }), headers: apikey },
    { ...at('PATCH', '/u1', { name: 'Ada' }), headers: apikey },
  ]);
});

test('the session of whoever is signed in does not go along', async () => {
  const refused = { status: 401, body: { message: 'no', code: 'UNAUTHORIZED' } };
  const { auth, sent } = authClient([refused], { key: 'svc_publishable_1', token: 'tok' });
  const { data, error } = await auth.admin.listUsers();
  expect(data).toEqual({ users: [] });
  expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  expect(sent.map(wireOf).map(({ headers }) => headers)).toEqual([{ apikey: 'svc_publishable_1' }]);
  expect((await auth.getSession()).data.session?.access_token).toBe('tok');
});

test('an id is one part of the path, whatever it holds', async () => {
  const { auth, sent } = authClient([{ body: user }], { key });
  await auth.admin.getUserById('u/../1?x#');
  expect(sent[0]?.path).toBe('/api/admin/users/u%2F..%2F1%3Fx%23');
});

describe('what cannot be sent', () => {
  test.each<{ name: string; call: (admin: Admin) => Promise<{ readonly error: unknown }> }>([
    { name: 'deleting signedOut', call: (admin) => admin.deleteUser('') },
    { name: 'an id that is another path', call: (admin) => admin.deleteUser('..') },
    { name: 'changing signedOut', call: (admin) => admin.updateUserById('', { name: 'x' }) },
    { name: 'the factor of signedOut', call: (admin) => admin.mfa.listFactors({ userId: '.' }) },
    { name: 'no factor', call: (admin) => admin.mfa.deleteFactor({ userId: 'u1', id: '' }) },
    { name: 'inviting signedOut', call: (admin) => admin.inviteUserByEmail('') },
    {
      name: 'a link that changes an address',
      call: (admin) => {
        const type: string = 'email_change_new';
        // A program without types names whatever it likes.
        return admin.generateLink({ type: type as 'signup', email: 'a@b.c' });
      },
    },
  ])('$name is the error INVALID_INPUT', async ({ call }) => {
    const { auth, sent } = authClient([{ body: {} }], { key });
    expect((await call(auth.admin)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(sent).toEqual([]);
  });
});
