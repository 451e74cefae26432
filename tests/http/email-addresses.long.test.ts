// One rule for addresses: every entry of a project and of the console stores the same form and refuses the same texts.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { acceptedAddresses, refusedAddresses } from '#libs/testing';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { makeSignedIn, makeUser, rowsOf, userIn, usersPath } from './administration.js';
import { createWith, post, site, takeMail } from './complete-project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let owner: SignedIn;
let organizationId: string;
let otherId: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await createWith(deployment, {
    'security.rateLimit': { enabled: false },
    'auth.urls': { siteUrl: site },
    'auth.methods.anonymous': { enabled: true },
  });
  owner = await makeSignedIn(project, 'owner@example.org');
  otherId = await makeUser(project, { email: 'other@example.org' });
  const path = '/api/auth/organization/create';
  const created = await project.as(owner, { method: 'POST', path, body: { name: 'A', slug: 'a' } });
  organizationId = String(asRecord(created.body)['id']);
}, 60_000);
afterAll(() => deployment.close());

const asService = (path: string, body: object, method: 'POST' | 'PATCH' = 'POST') =>
  project.asService({ method, path, body });
const console = async (path: string, body: object): Promise<Reply> => {
  const places = await deployment.console({ path: '/platform/organizations' });
  const { organizations } = asRecord(places.body);
  const [first] = Array.isArray(organizations) ? organizations.map(asRecord) : [];
  const id = String(first?.['id']);
  return deployment.console({
    method: 'POST',
    path: path.replace(':id', id),
    body: { ...body, role: 'viewer', ...(!path.includes(':id') && { organizationId: id }) },
  });
};
const otp = '123456';
const password = userPassword;

/** Each takes an address that is to be stored, compared or mailed. */
const entries: Readonly<Record<string, (email: string) => Promise<Reply>>> = {
  'sign-up': (email) => post(project, '/sign-up/email', { email, password, name: '' }),
  'sign-in': (email) => post(project, '/sign-in/email', { email, password }),
  'a magic link': (email) => post(project, '/sign-in/magic-link', { email }),
  'a code': (email) =>
    post(project, '/email-otp/send-verification-otp', { email, type: 'sign-in' }),
  'a sign-in by code': (email) => post(project, '/sign-in/email-otp', { email, otp }),
  'a verification by code': (email) => post(project, '/email-otp/verify-email', { email, otp }),
  'a verification by mail': (email) => post(project, '/send-verification-email', { email }),
  'a reset by link': (email) => post(project, '/request-password-reset', { email }),
  'a reset by code': (email) => post(project, '/email-otp/request-password-reset', { email }),
  'the end of a reset': (email) =>
    post(project, '/email-otp/reset-password', { email, otp, password }),
  'a guest who becomes permanent': async (email) => {
    const guest = await post(project, '/sign-in/anonymous', {});
    const token = String(asRecord(guest.body)['token']);
    const headers = { authorization: `Bearer ${token}` };
    return post(project, '/upgrade-anonymous', { email, password }, headers);
  },
  'an invitation to an organization': (email) =>
    project.as(owner, {
      method: 'POST',
      path: '/api/auth/organization/invite-member',
      body: { organizationId, email, role: 'member' },
    }),
  'the creation by an administrator': (email) => asService(usersPath, { email }),
  'the change by an administrator': (email) =>
    asService(`${usersPath}/${otherId}`, { email }, 'PATCH'),
  'the invitation by an administrator': (email) => asService(`${usersPath}/invite`, { email }),
  'the link of an administrator': (email) =>
    asService(`${usersPath}/generate-link`, { email, type: 'magiclink' }),
  'the code of an administrator': (email) =>
    asService(`${usersPath}/generate-link`, { email, type: 'recovery' }),
  'a test mail': (to) => asService('/api/admin/settings/email/test', { to }),
  'an invitation of an operator': (email) => console('/platform/operators/invitations', { email }),
  'an invitation of a member': (email) => console('/platform/organizations/:id/members', { email }),
};

/** Everything that holds addresses. */
const stored = async () =>
  rowsOf(
    project,
    `select (select json_agg(email order by email) from auth."user" where not "isAnonymous") as users,
       (select count(*)::int from auth.invitation) as invitations,
       (select count(*)::int from platform.inbox) as mails`,
  );

test.each(Object.keys(entries))('%s refuses what is no address', async (name) => {
  const enter = entries[name];
  const before = await stored();
  for (const { name: kind, sent } of refusedAddresses) {
    const reply = await enter?.(sent);
    const { code, message } = asRecord(reply?.body);
    const field = name === 'a test mail' ? 'to' : 'email';
    expect({ kind, status: reply?.status, message }).toEqual({
      kind,
      status: 400,
      message: `${field}: must be an email address`,
    });
    expect(['INVALID_EMAIL', 'INVALID_INPUT']).toContain(code);
  }
  expect(await stored()).toEqual(before);
});

let turns = 0;

test.each(acceptedAddresses)('$name: every entry reads $sent as $stored', async (row) => {
  // Addresses of this turn alone.
  const mark = `t${(turns += 1)}`;
  const [sent, kept] = [`${mark}${row.sent}`, `${mark}${row.stored}`];
  const created = await entries['the creation by an administrator']?.(sent);
  expect([created?.status, created && userIn(created)['email']]).toEqual([201, kept]);
  const id = String(created && userIn(created)['id']);
  await asService(`${usersPath}/${id}/reset-password`, { password });
  const signedIn = await entries['sign-in']?.(sent);
  expect([signedIn?.status, signedIn && userIn(signedIn)['id']]).toEqual([200, id]);
  expect((await entries['sign-in']?.(kept))?.status).toBe(200);
  for (const name of ['sign-up', 'the creation by an administrator'] as const) {
    expect(asRecord((await entries[name]?.(sent))?.body)['code']).toBe('USER_ALREADY_EXISTS');
  }
  for (const name of ['a magic link', 'a code', 'a reset by link', 'a reset by code'] as const) {
    expect((await entries[name]?.(sent))?.status).toBe(200);
    expect(await takeMail(project, kept)).not.toBe('');
  }
  for (const name of ['the link of an administrator', 'the code of an administrator'] as const) {
    const reply = await entries[name]?.(sent);
    expect(reply && userIn(reply)['id']).toBe(id);
  }
  const invited = await entries['an invitation to an organization']?.(sent);
  expect(invited?.body).toMatchObject({ email: kept, status: 'pending' });
  for (const name of ['an invitation of an operator', 'an invitation of a member'] as const) {
    expect((await entries[name]?.(sent))?.body).toMatchObject({ email: kept });
  }
  await asService(`${usersPath}/${id}`, { email: `moved-${sent}` }, 'PATCH');
  const guest = await entries['a guest who becomes permanent']?.(sent);
  expect(guest && userIn(guest)['email']).toBe(kept);
});

test.each(['jürgen@old.example', 'mib@bücher.example', '"a b"@old.example'])(
  'an administrator finds, changes and deletes the old account of %s',
  async (email) => {
    const id = await makeUser(project, { email: 'before@example.org' });
    await rowsOf(project, `update auth."user" set email = $2 where id = $1`, [id, email]);
    const found = await project.asService({
      path: `${usersPath}?search=${encodeURIComponent(email)}`,
    });
    expect(asRecord(found.body)).toMatchObject({ users: [{ id, email }] });
    const path = `${usersPath}/${id}`;
    expect(await asService(path, { name: 'Old', email }, 'PATCH')).toMatchObject({
      status: 200,
      body: { user: { name: 'Old', email } },
    });
    const moved = await asService(path, { email: `moved${id}@old.example` }, 'PATCH');
    expect(moved.status).toBe(200);
    expect((await project.asService({ method: 'DELETE', path })).status).toBeLessThan(300);
  },
);
