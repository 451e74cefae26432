// Phones, one-time codes, guests, API keys and passkeys.
import { createHash, randomBytes } from 'node:crypto';

import { assert, attest, makePasskey } from '../../auth-engine/software-authenticator.js';
import { codeIn, mailedLink, site } from '../../http/complete-project.js';
import { originOf } from '../../http/redirects.js';
import { type AccountWorld, textAt } from './world.js';

export async function tryPhones(world: AccountWorld): Promise<void> {
  const phoneNumber = '+15551230001';
  const { email: _email, ...person } = await world.newPerson({
    phoneNumber,
    phoneNumberVerified: true,
  });
  const live = { phoneNumber };
  const sent = async () => codeIn((await world.sms.waitForSms(phoneNumber)).text);
  await world.try('POST /phone-number/send-otp', { live });
  await world.try('POST /phone-number/verify', { live: { ...live, code: await sent() } });
  await world.try('POST /sign-in/phone-number', { live });
  await world.try('POST /phone-number/request-password-reset', { live });
  await world.try('POST /phone-number/reset-password', { live: { ...live, otp: await sent() } });
  await person.try('GET /get-session', { as: {} });
}

export async function tryOneTimeCodes(world: AccountWorld): Promise<void> {
  const { project } = world;
  const { email } = await world.newPerson();
  const codeVerifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  await world.try('POST /sign-in/magic-link', {
    live: { email, callbackURL: `${site}/in` },
    headers: { 'x-rowhouse-flow': 'rowhouse_code', 'x-code-challenge': challenge },
  });
  const link = await mailedLink(project, email);
  const opened = await project.send({
    method: 'POST',
    path: link.pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: link.search.slice(1),
  });
  const code = new URL(String(opened.headers.location)).searchParams.get('rowhouse_code') ?? '';
  await world.try('POST /exchange-code', { live: { code, codeVerifier } });
}

export async function tryGuests(world: AccountWorld): Promise<void> {
  const guest = await world.try('POST /sign-in/anonymous');
  const as = { authorization: `Bearer ${textAt(guest, 'token')}` };
  await world.try('POST /upgrade-anonymous', { as, live: { email: 'guest1@example.org' } });
  const proven = await world.project.send({
    method: 'PUT',
    path: '/api/admin/settings/auth.methods.emailPassword',
    headers: { apikey: world.project.secretKey },
    body: { requireEmailVerification: true },
  });
  if (proven.status !== 200) throw new Error(proven.text);
  const other = await world.try('POST /sign-in/anonymous');
  const email = 'guest2@example.org';
  await world.try('POST /upgrade-anonymous', {
    as: { authorization: `Bearer ${textAt(other, 'token')}` },
    live: { email },
  });
  const token = (await mailedLink(world.project, email)).searchParams.get('token') ?? '';
  await world.try('GET /upgrade-anonymous/confirm', { query: { token } });
  await world.try('POST /upgrade-anonymous/confirm', { live: { token } });
  await world.project.asService({
    method: 'DELETE',
    path: '/api/admin/settings/auth.methods.emailPassword',
  });
}

export async function tryApiKeys(world: AccountWorld): Promise<void> {
  const person = await world.newPerson();
  const keyId = textAt(await person.try('POST /api-key/create'), 'id');
  await person.try('GET /api-key/list');
  await person.try('GET /api-key/get', { query: { id: keyId } });
  await person.try('POST /api-key/update', { live: { keyId } });
  await person.try('POST /api-key/delete', { live: { keyId } });
}

export async function tryPasskeys(world: AccountWorld): Promise<void> {
  const person = await world.newPerson();
  const passkey = makePasskey();
  const origin = originOf(world.project);
  const begun = (reply: Awaited<ReturnType<typeof world.try>>) => ({
    headers: { 'x-challenge-token': String(reply.headers['x-challenge-token']) },
    ceremony: { challenge: textAt(reply, 'challenge'), origin, rpId: 'localhost' },
  });
  const made = begun(await person.try('GET /passkey/generate-register-options'));
  const registered = await person.try('POST /passkey/verify-registration', {
    headers: made.headers,
    live: { response: attest(passkey, made.ceremony) },
  });
  const used = begun(await world.try('GET /passkey/generate-authenticate-options'));
  await world.try('POST /passkey/verify-authentication', {
    headers: used.headers,
    live: { response: assert(passkey, used.ceremony) },
  });
  await person.try('GET /passkey/list-user-passkeys');
  const id = textAt(registered, 'id');
  await person.try('POST /passkey/update-passkey', { live: { id } });
  await person.try('POST /passkey/delete-passkey', { live: { id } });
}
