// The published client of better-auth against the real server, as apps use it that come from there: by cookies.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyClient } from '@better-auth/api-key/client';
import { createAuthClient } from 'better-auth/client';
import {
  anonymousClient,
  emailOTPClient,
  magicLinkClient,
  organizationClient,
  phoneNumberClient,
} from 'better-auth/client/plugins';

import { codeIn, linkIn } from '../support/mail-server.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { openSmsGateway, SMS_ACCOUNTS, type SmsGateway } from '../support/sms-gateway.js';
import {
  type Accounts,
  openAccounts,
  password,
  pressButton,
  sentTo,
  site,
  visit,
} from './support/accounts.js';
import { openCookieJar } from './support/cookie-jar.js';

let accounts: Accounts;
let sms: SmsGateway;
let idp: OidcIdentityProvider;

beforeAll(async () => {
  [sms, idp] = await Promise.all([openSmsGateway(), openOidcIdentityProvider()]);
  const twilio = { ...SMS_ACCOUNTS.twilio, from: '+15550000000', baseUrl: sms.origin };
  const on = { enabled: true };
  accounts = await openAccounts({
    settings: {
      'phone.sms': { provider: 'twilio', twilio },
      'auth.phoneOtp': on,
      'auth.methods.anonymous': on,
      'auth.organization': { enabled: true, teamsEnabled: true },
      'auth.apiKey': on,
    },
  });
  const { host, apiOrigin } = accounts.project;
  const origin = `http://${host}:${new URL(apiOrigin).port}`;
  const redirectUris = [`${origin}/api/auth/oauth2/callback/acme`];
  idp.addClient({ clientId: 'rowhouse', redirectUris });
  const provider = { clientId: 'rowhouse', clientSecret: 'rowhouse-secret' };
  await accounts.save('auth.oauth.custom', {
    providers: [{ ...provider, providerId: 'acme', discoveryUrl: idp.discoveryUrl }],
  });
});
afterAll(async () => {
  await accounts.close();
  await Promise.all([sms.close(), idp.close()]);
});

/** A client with the cookies of a browser of its own, on a page of the application. */
function openClient() {
  const jar = openCookieJar(site);
  const client = createAuthClient({
    baseURL: accounts.gateway.url,
    plugins: [
      anonymousClient(),
      apiKeyClient(),
      emailOTPClient(),
      magicLinkClient(),
      organizationClient({ teams: { enabled: true } }),
      phoneNumberClient(),
    ],
    fetchOptions: { customFetchImpl: jar.fetch },
  });
  return { client, jar };
}

/** A client that has just signed somebody up, whose address is verified. */
async function signedUp() {
  const email = accounts.newEmail();
  const opened = openClient();
  const { data, error } = await opened.client.signUp.email({ email, password, name: 'Ada' });
  expect(error).toBeNull();
  const id = data?.user.id ?? '';
  await accounts.rows('update auth."user" set "emailVerified" = true where id = $1', [id]);
  return { ...opened, email, id };
}

type Client = ReturnType<typeof openClient>['client'];
const userOf = async (client: Client) => (await client.getSession()).data?.user;
const mailedCode = async (email: string) => codeIn(await accounts.mails.waitForMail(email));

describe('accounts', () => {
  test('are made, signed in and out, and described', async () => {
    const { client, email, id } = await signedUp();
    expect(await userOf(client)).toMatchObject({ id, email, name: 'Ada' });
    expect((await client.signOut()).data).toMatchObject({ success: true });
    expect((await client.getSession()).data).toBeNull();
    const refused = await client.signIn.email({ email, password: 'a wrong password' });
    expect([refused.data, refused.error?.status]).toEqual([null, 401]);
    expect((await client.signIn.email({ email, password })).data?.user).toMatchObject({ id });
  });

  test('change their name and password', async () => {
    const { client, email } = await signedUp();
    expect((await client.updateUser({ name: 'Ada L.' })).error).toBeNull();
    expect(await userOf(client)).toMatchObject({ name: 'Ada L.' });
    const newPassword = 'another good one';
    const changed = await client.changePassword({ currentPassword: password, newPassword });
    expect(changed.error).toBeNull();
    const other = openClient().client;
    expect((await other.signIn.email({ email, password })).error?.status).toBe(401);
    expect((await other.signIn.email({ email, password: newPassword })).error).toBeNull();
  });

  test('see their other sessions, and end them', async () => {
    const { client, email } = await signedUp();
    const other = openClient().client;
    await other.signIn.email({ email, password });
    expect((await client.listSessions()).data).toHaveLength(2);
    expect((await client.revokeOtherSessions()).error).toBeNull();
    expect((await client.listSessions()).data).toHaveLength(1);
    expect((await other.getSession()).data).toBeNull();
    expect((await client.getSession()).data).not.toBeNull();
  });

  test('end one of their sessions by the token in the list, and no other', async () => {
    const { client, email } = await signedUp();
    const [phone, tablet] = [openClient().client, openClient().client];
    for (const other of [phone, tablet]) await other.signIn.email({ email, password });
    const ended = (await phone.getSession()).data?.session.id;
    const token = (await client.listSessions()).data?.find(({ id }) => id === ended)?.token ?? '';
    expect((await client.revokeSession({ token })).data).toEqual({ status: true });
    expect((await phone.getSession()).data).toBeNull();
    expect((await tablet.getSession()).data).not.toBeNull();
    expect((await client.getSession()).data).not.toBeNull();
  });
});

test('a magic link signs in by the cookie', async () => {
  const email = accounts.newEmail();
  const { client } = openClient();
  const callbackURL = `${site}/in`;
  expect((await client.signIn.magicLink({ email, callbackURL })).error).toBeNull();
  const reply = await pressButton(
    accounts.project,
    linkIn(await accounts.mails.waitForMail(email)),
  );
  expect(sentTo(reply)).toBe(callbackURL);
  const cookie = reply.headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ') ?? '';
  const session = await client.getSession({ fetchOptions: { headers: { cookie } } });
  expect(session.data?.user).toMatchObject({ email, emailVerified: true });
});

test('a mailed code signs in, proves an address, and replaces a password', async () => {
  const email = accounts.newEmail();
  const { client } = openClient();
  await client.emailOtp.sendVerificationOtp({ email, type: 'sign-in' });
  const otp = await mailedCode(email);
  expect((await client.signIn.emailOtp({ email, otp })).data?.user).toMatchObject({ email });
  expect((await openClient().client.signIn.emailOtp({ email, otp })).error?.status).toBe(400);
  await client.emailOtp.requestPasswordReset({ email });
  const reset = { email, otp: await mailedCode(email), password };
  expect((await client.emailOtp.resetPassword(reset)).error).toBeNull();
  expect((await openClient().client.signIn.email({ email, password })).error).toBeNull();
});

test('a code by SMS signs in', async () => {
  const phoneNumber = '+15551290001';
  const { client } = openClient();
  expect((await client.phoneNumber.sendOtp({ phoneNumber })).error).toBeNull();
  const code = codeIn(await sms.waitForSms(phoneNumber));
  const wrong = code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  const refused = await client.phoneNumber.verify({ phoneNumber, code: wrong });
  expect(refused.error?.status).toBe(400);
  expect((await client.phoneNumber.verify({ phoneNumber, code })).error).toBeNull();
  expect(await userOf(client)).toMatchObject({ phoneNumber });
});

test('a guest has a session', async () => {
  const { client } = openClient();
  expect((await client.signIn.anonymous()).error).toBeNull();
  expect(await userOf(client)).toMatchObject({ is_anonymous: true, role: 'USER' });
});

test('a custom provider signs in by the cookie, and is linked and unlinked', async () => {
  const { client, jar } = await signedUp();
  const callbackURL = `${site}/linked`;
  const begun = await client.linkSocial({ provider: 'acme', callbackURL, disableRedirect: true });
  const claims = { email: 'pat@people.example', email_verified: true };
  const back = await idp.signInAt(begun.data?.url ?? '', { login: 'pat', claims });
  expect(sentTo(await visit(accounts.project, back, jar.header()))).toBe(callbackURL);
  const { data: linked } = await client.listAccounts();
  expect(linked?.map(({ providerId }) => providerId).toSorted()).toEqual(['acme', 'credential']);
  const device = openClient();
  const signIn = await device.client.signIn.social({
    provider: 'acme',
    callbackURL,
    disableRedirect: true,
  });
  const arrival = await idp.signInAt(signIn.data?.url ?? '', { login: 'pat', claims });
  const reply = await visit(accounts.project, arrival, device.jar.header());
  expect([sentTo(reply), reply.headers['set-cookie']?.join()]).toEqual([
    callbackURL,
    expect.stringContaining('session_token='),
  ]);
  const accountId = linked?.find(({ providerId }) => providerId === 'acme')?.id ?? '';
  expect((await client.unlinkAccount({ accountId })).error).toBeNull();
  expect((await client.listAccounts()).data).toHaveLength(1);
});

test('organizations are made, people invited, teams filled', async () => {
  const owner = await signedUp();
  const guest = await signedUp();
  const slug = `org-${owner.email.split('@')[0]}`;
  const made = await owner.client.organization.create({ name: 'Org', slug });
  const organizationId = made.data?.id ?? '';
  expect((await owner.client.organization.list()).data).toMatchObject([{ id: organizationId }]);
  const invitation = await owner.client.organization.inviteMember({
    email: guest.email,
    role: 'member',
    organizationId,
  });
  const invitationId = invitation.data?.id ?? '';
  expect((await guest.client.organization.acceptInvitation({ invitationId })).error).toBeNull();
  const active = await guest.client.organization.setActive({ organizationId });
  expect(active.data).toMatchObject({ id: organizationId });
  const members = await owner.client.organization.listMembers({ query: { organizationId } });
  expect(members.data?.members.map(({ role }) => role).toSorted()).toEqual(['member', 'owner']);
  const team = await owner.client.organization.createTeam({ name: 'Crew', organizationId });
  const teamId = team.data?.id ?? '';
  const filled = await owner.client.organization.addTeamMember({ teamId, userId: guest.id });
  expect(filled.error).toBeNull();
  const refused = await guest.client.organization.delete({ organizationId });
  expect(refused.error?.status).toBe(403);
  expect((await owner.client.organization.delete({ organizationId })).error).toBeNull();
});

test('keys are made, listed, renamed and deleted', async () => {
  const { client } = await signedUp();
  const { data } = await client.apiKey.create({ name: 'script' });
  const keyId = data?.id ?? '';
  expect(data?.key).toMatch(/^uak_/);
  expect((await client.apiKey.update({ keyId, name: 'renamed' })).error).toBeNull();
  const listed = await client.apiKey.list();
  expect(listed.data).toMatchObject({ apiKeys: [{ id: keyId, name: 'renamed' }], total: 1 });
  expect((await client.apiKey.delete({ keyId })).data).toMatchObject({ success: true });
  expect((await client.apiKey.list()).data).toMatchObject({ apiKeys: [], total: 0 });
});
