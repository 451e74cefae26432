import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthInstance } from '#libs/auth-engine';
import { openAuthProject, password, type AuthProject } from './auth-project.js';
import { challenge, enrol, levelOf, signIn, verify, type Enrolled } from './two-factor-people.js';
import { at, bearer, textAt } from '../support/replies.js';

const codes = { 'auth.twoFactor': { enabled: true, emailCodes: true, smsCodes: true } };
let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ settings: codes });
});
afterAll(() => project.close());

let lastNumber = 15551280000;

async function withPhone(user: Enrolled, isVerified: boolean): Promise<string> {
  const phoneNumber = `+${(lastNumber += 1)}`;
  await project.sql(
    'update auth."user" set "phoneNumber" = $2, "phoneNumberVerified" = $3 where id = $1',
    [user.id, phoneNumber, isVerified],
  );
  return phoneNumber;
}

type Headers = Readonly<Record<string, string>>;

const send = (headers: Headers, body: object = {}, via?: AuthInstance) =>
  project.post('/two-factor/send-otp', { body, headers, ...(via && { via }) });

async function mailed(headers: Headers): Promise<string> {
  await send(headers, { channel: 'email' });
  const mail = project.mails.at(-1);
  expect(mail?.kind).toBe('secondFactor');
  return String(mail?.values['code']);
}

describe('a code by mail or SMS', () => {
  test('completes a sign-in, by mail', async () => {
    const user = await enrol(project, 'mail@example.com');
    const headers = await challenge(project, user.email);
    const code = await mailed(headers);
    expect(project.mails.at(-1)).toMatchObject({
      to: user.email,
      values: { code: expect.stringMatching(/^\d{6}$/), expiresInMinutes: 5 },
    });
    const reply = await verify(project, 'otp', code, { headers });
    expect(await levelOf(project, textAt(reply.body, 'token'))).toBe('aal2');
  });

  test('completes a sign-in, by SMS', async () => {
    const user = await enrol(project, 'sms@example.com');
    const to = await withPhone(user, true);
    const headers = await challenge(project, user.email);
    const sent = await send(headers, { channel: 'sms' });
    expect(sent.body).toEqual({ status: true, channel: 'sms' });
    const text = project.texts.at(-1);
    expect(text).toMatchObject({ kind: 'secondFactor', to });
    const reply = await verify(project, 'otp', text?.code, { headers });
    expect(await levelOf(project, textAt(reply.body, 'token'))).toBe('aal2');
  });

  test('raises a session that lives', async () => {
    const user = await enrol(project, 'live@example.com');
    await project.sql(`update auth.session set aal = 'aal1' where "tokenHash" = sha256($1)`, [
      user.token,
    ]);
    const headers = bearer(user.token);
    const reply = await verify(project, 'otp', await mailed(headers), { headers });
    expect(at(reply.body, 'token')).toBe(user.token);
    expect(await levelOf(project, user.token)).toBe('aal2');
  });

  test('is offered on the channels that reach the user', async () => {
    const user = await enrol(project, 'channels@example.com');
    const channels = async () => at((await signIn(project, user.email)).body, 'otpChannels');
    expect(await channels()).toEqual(['email']);
    await withPhone(user, false);
    expect(await channels()).toEqual(['email']);
    await withPhone(user, true);
    expect(await channels()).toEqual(['email', 'sms']);
    const asked = await signIn(project, user.email);
    expect(at(asked.body, 'twoFactorMethods')).toEqual(['totp', 'otp']);
  });

  test.each([
    { name: 'an unproven number', body: { channel: 'sms' } },
    { name: 'an unknown channel', body: { channel: 'pigeon' } },
    { name: 'no text', body: { channel: 1 } },
  ])('is not sent to $name', async ({ body }) => {
    const user = await enrol(project, `unsent-${JSON.stringify(body).length}@example.com`);
    await withPhone(user, false);
    const before = project.texts.length;
    const reply = await send(await challenge(project, user.email), body);
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
    expect(textAt(reply.body, 'message')).toMatch(/^channel:/);
    expect(project.texts).toHaveLength(before);
  });

  test.each([
    { channel: 'email', settings: { enabled: true, smsCodes: true } },
    { channel: 'sms', settings: { enabled: true, emailCodes: true } },
  ])('is not sent by $channel where that is off', async ({ channel, settings }) => {
    const user = await enrol(project, `off-${channel}@example.com`);
    await withPhone(user, true);
    const via = await project.rebuild({ 'auth.twoFactor': settings });
    const reply = await send(await challenge(project, user.email), { channel }, via);
    expect(reply.status).toBe(400);
  });

  test('is not sent to nobody', async () => {
    expect((await send({}, { channel: 'email' })).status).toBe(401);
  });
});

describe('a code that was sent', () => {
  test('is stored as a digest', async () => {
    const user = await enrol(project, 'stored@example.com');
    const code = await mailed(await challenge(project, user.email));
    const rows = await project.sql('select value from auth.verification');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(`"${code}`);
  });

  test('is taken once, however many use it at once', async () => {
    const user = await enrol(project, 'single@example.com');
    const headers = bearer(user.token);
    const code = await mailed(headers);
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => verify(project, 'otp', code, { headers })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('belongs to the sign-in that it was sent for', async () => {
    const user = await enrol(project, 'belongs@example.com');
    const code = await mailed(await challenge(project, user.email));
    const headers = await challenge(project, user.email);
    expect((await verify(project, 'otp', code, { headers })).status).toBe(400);
  });

  test('is worth nothing after five guesses at once', async () => {
    const user = await enrol(project, 'five@example.com');
    const headers = await challenge(project, user.email);
    const code = await mailed(headers);
    const wrong = code === '000000' ? '000001' : '000000';
    await Promise.all(Array.from({ length: 8 }, () => verify(project, 'otp', wrong, { headers })));
    const reply = await verify(project, 'otp', code, { headers });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_CODE']);
  });
});

describe('backup codes', () => {
  test('open a session of the second level, once each, also at once', async () => {
    const user = await enrol(project, 'backup@example.com');
    const code = user.backupCodes[0];
    const all = await Promise.all(Array.from({ length: 5 }, () => challenge(project, user.email)));
    const replies = await Promise.all(
      all.map((headers) => verify(project, 'backup-code', code, { headers })),
    );
    const right = replies.filter(({ status }) => status === 200);
    expect(right).toHaveLength(1);
    expect(await levelOf(project, textAt(right[0]?.body, 'token'))).toBe('aal2');
  });

  test('may all be used at once, each for itself', async () => {
    const user = await enrol(project, 'all@example.com');
    const used = user.backupCodes.slice(0, 5);
    const replies = await Promise.all(
      used.map(async (code) =>
        verify(project, 'backup-code', code, { headers: await challenge(project, user.email) }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const status = await project.get('/two-factor/status', { headers: bearer(user.token) });
    expect(at(status.body, 'backupCodesLeft')).toBe(5);
  });

  test('may be typed in capitals and without the hyphen', async () => {
    const user = await enrol(project, 'typed@example.com');
    const headers = await challenge(project, user.email);
    const typed = ` ${user.backupCodes[0]?.replace('-', '').toUpperCase()} `;
    expect((await verify(project, 'backup-code', typed, { headers })).status).toBe(200);
  });
});

test('one user is sent so many codes and no more', async () => {
  const via = await project.rebuild({
    ...codes,
    'security.rateLimit': { enabled: true, max: 10_000, credentialMax: 10_000 },
    'auth.rateLimits': { sendEmail: { perIdentifier: 2 } },
  });
  const user = await enrol(project, 'flooded@example.com');
  const headers = await challenge(project, user.email);
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => send(headers, { channel: 'email' }, via)),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
});

test('the password cannot be guessed on a session that lives', async () => {
  const via = await project.rebuild({
    ...codes,
    'security.rateLimit': { enabled: true, max: 10_000, credentialMax: 10_000 },
    'auth.rateLimits': { signIn: { perAddress: 1000 } },
  });
  const user = await enrol(project, 'password-guessed@example.com');
  const disable = (given: string) =>
    project.post('/two-factor/disable', {
      body: { password: given },
      headers: bearer(user.token),
      via,
    });
  const replies = await Promise.all(Array.from({ length: 14 }, () => disable('wrong password')));
  expect(replies.filter(({ status }) => status === 403)).toHaveLength(10);
  expect((await disable(password)).status).toBe(429);
});
