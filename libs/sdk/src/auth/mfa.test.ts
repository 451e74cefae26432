// The second factor: at sign-in, on a live session, and what is set up and taken away.
import { describe, expect, test } from 'vitest';

import {
  aliveReply,
  authClient,
  eventsOf,
  flush,
  signedInReply,
  storageKey,
  user,
  wireOf,
} from '../../tests/auth-client.js';
import type { MfaVerifyParams } from './mfa.js';

const bearer = { authorization: 'Bearer tok' };
const challenge = {
  body: { twoFactorRedirect: true, twoFactorMethods: ['totp', 'otp'], mfaToken: 'pending' },
};
const credentials = { email: 'ada@example.org', password: 'p' };

/** A client whose password was right and whose second factor is awaited. */
async function challenged(...steps: Parameters<typeof authClient>[0]) {
  const made = authClient([challenge, ...steps]);
  const events = eventsOf(made);
  const answer = await made.auth.signInWithPassword(credentials);
  return { ...made, events, answer, later: () => made.sent.slice(1) };
}

describe('a sign-in that wants a second factor', () => {
  test('gives no session, says what may be given, and is no event', async () => {
    const { answer, events, auth } = await challenged();
    expect(answer).toEqual({
      data: { user: null, session: null, mfa: { methods: ['totp', 'otp'] } },
      error: null,
    });
    expect((await auth.getSession()).data.session).toBeNull();
    await flush();
    expect(events).toEqual(['INITIAL_SESSION']);
  });

  test.each<{ type: MfaVerifyParams['type']; path: string }>([
    { type: undefined, path: 'verify-totp' },
    { type: 'totp', path: 'verify-totp' },
    { type: 'otp', path: 'verify-otp' },
    { type: 'backup', path: 'verify-backup-code' },
  ])('is completed by a code of the type $type', async ({ type, path }) => {
    const { auth, later, events, storage } = await challenged(signedInReply);
    const answer = await auth.mfa.verify({ code: '123456', ...(type && { type }) });
    expect(answer).toMatchObject({ data: { user, session: { access_token: 'tok' } } });
    expect(later().map(wireOf)).toEqual([
      {
        method: 'POST',
        target: `/api/auth/two-factor/${path}`,
        headers: { 'x-mfa-token': 'pending' },
        body: { code: '123456' },
      },
    ]);
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'MFA_CHALLENGE_VERIFIED']);
    expect(await storage.getItem(`${storageKey}.mfa`)).toBeFalsy();
  });

  test('is verified as itself, not as who was signed in before', async () => {
    const { auth, sent } = authClient([challenge, signedInReply], { token: 'old' });
    await auth.signInWithPassword(credentials);
    await auth.mfa.verify({ code: '123456' });
    expect(sent.map(wireOf)[1]?.headers).toEqual({ 'x-mfa-token': 'pending' });
    expect((await auth.getSession()).data.session?.access_token).toBe('tok');
  });

  test('waits on after a wrong code', async () => {
    const wrong = { status: 401, body: { message: 'no', code: 'INVALID_CODE' } };
    const { auth, later } = await challenged(wrong, signedInReply);
    expect((await auth.mfa.verify({ code: '000000' })).error).toMatchObject({
      code: 'INVALID_CODE',
    });
    expect((await auth.mfa.verify({ code: '123456' })).error).toBeNull();
    expect(later().map(({ headers }) => headers['x-mfa-token'])).toEqual(['pending', 'pending']);
  });

  test('keeps what makes the device trusted, also after signing out', async () => {
    const trusted = { body: { token: 'tok', user, trustToken: 'device' } };
    const { auth, later } = await challenged(trusted, { body: {} }, signedInReply);
    await auth.mfa.verify({ code: '123456', trustDevice: true });
    expect(later()[0]?.body).toEqual({ code: '123456', trustDevice: true });
    await auth.signOut();
    await auth.signInWithPassword(credentials);
    expect(later().at(-1)?.headers).toMatchObject({ 'x-trust-token': 'device' });
  });

  test('is kept by what the server sends in headers too, and changes at a sign-in', async () => {
    const { auth, sent } = authClient([
      { ...challenge, body: { twoFactorRedirect: true }, headers: { 'x-mfa-token': 'carried' } },
      { ...signedInReply, headers: { 'x-trust-token': 'first' } },
      { ...signedInReply, headers: { 'x-trust-token': 'second' } },
      signedInReply,
    ]);
    await auth.signInWithPassword(credentials);
    await auth.mfa.verify({ code: '123456', trustDevice: true });
    await auth.signInWithPassword(credentials);
    await auth.signInWithPassword(credentials);
    const carried = sent.map(({ headers }) => headers['x-mfa-token'] ?? headers['x-trust-token']);
    expect(carried).toEqual([undefined, 'carried', 'first', 'second']);
  });

  test('is given up by signing out', async () => {
    const { auth, storage } = await challenged({ body: {} });
    await auth.signOut();
    expect(await storage.getItem(`${storageKey}.mfa`)).toBeFalsy();
  });

  test.each(['email', 'sms'] as const)('asks for a code by %s', async (channel) => {
    const { auth, later } = await challenged({ body: { status: true } });
    expect((await auth.mfa.challenge({ channel })).data).toEqual({ id: channel, type: channel });
    expect(later().map(wireOf)).toEqual([
      {
        method: 'POST',
        target: '/api/auth/two-factor/send-otp',
        headers: { 'x-mfa-token': 'pending' },
        body: { channel },
      },
    ]);
  });

  test('needs no challenge for an app', async () => {
    const { auth, later } = await challenged();
    expect((await auth.mfa.challenge()).data).toEqual({ id: 'totp', type: 'totp' });
    expect(later()).toEqual([]);
  });
});

describe('on a live session', () => {
  const aal2 = { body: { session: { aal: 'aal2' }, user: { ...user, twoFactorEnabled: true } } };

  test('a code raises the level of the session', async () => {
    const made = authClient([{ body: { status: true } }, aal2], { token: 'tok' });
    const events = eventsOf(made);
    const { data } = await made.auth.mfa.verify({ code: '123456' });
    expect(data.session).toMatchObject({ access_token: 'tok', aal: 'aal2' });
    expect(made.sent.map(wireOf)[0]).toMatchObject({ headers: bearer, body: { code: '123456' } });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'MFA_CHALLENGE_VERIFIED']);
    expect((await made.auth.mfa.getAuthenticatorAssuranceLevel()).data).toEqual({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
    });
  });

  test('after a sign-in the level is asked for once', async () => {
    const { auth, sent } = authClient([{ body: { token: 'tok', user } }, aal2]);
    await auth.signInWithPassword({ email: 'ada@example.com', password: 'p' });
    const levels = { currentLevel: 'aal2', nextLevel: 'aal2' };
    expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toEqual(levels);
    expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toEqual(levels);
    expect(sent.map(wireOf).map(({ target }) => target)).toEqual([
      '/api/auth/sign-in/email',
      '/api/auth/get-session',
    ]);
  });

  test('the session that an enrolment begins takes the place of the one before', async () => {
    const rotated = { body: { token: 'tok2', user } };
    const { auth, sent } = authClient([rotated, aal2], { token: 'tok' });
    await auth.mfa.verify({ code: '123456' });
    expect(sent[1]?.headers).toMatchObject({ authorization: 'Bearer tok2' });
    expect((await auth.getSession()).data.session?.access_token).toBe('tok2');
  });

  test('enroll gives address, secret and backup codes', async () => {
    const totpURI = 'otpauth://totp/Shop:ada?secret=JBSWY3DP&issuer=Shop';
    const reply = { body: { method: 'totp', totpURI, backupCodes: ['a', 'b'] } };
    const { auth, sent } = authClient([reply], { token: 'tok' });
    const { data } = await auth.mfa.enroll({ password: 'p', issuer: 'Shop' });
    expect(data).toEqual({
      id: 'totp',
      type: 'totp',
      totp: { uri: totpURI, secret: 'JBSWY3DP' },
      backupCodes: ['a', 'b'],
    });
    expect(sent.map(wireOf)).toEqual([
      {
        method: 'POST',
        target: '/api/auth/two-factor/enable',
        headers: bearer,
        body: { password: 'p', issuer: 'Shop' },
      },
    ]);
  });

  test('regenerateBackupCodes gives new ones', async () => {
    const reply = { body: { status: true, backupCodes: ['c'] } };
    const { auth, sent } = authClient([reply], { token: 'tok' });
    expect((await auth.mfa.regenerateBackupCodes({ password: 'p' })).data).toEqual({
      backupCodes: ['c'],
    });
    expect(sent[0]).toMatchObject({
      target: '/api/auth/two-factor/generate-backup-codes',
      body: { password: 'p' },
    });
  });

  test('unenroll changes the user', async () => {
    const made = authClient([{ body: { status: true } }, aliveReply], { token: 'tok' });
    const events = eventsOf(made);
    expect((await made.auth.mfa.unenroll({ password: 'p' })).data).toEqual({ id: 'totp' });
    expect(made.sent[0]).toMatchObject({
      target: '/api/auth/two-factor/disable',
      body: { password: 'p' },
    });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'USER_UPDATED']);
  });

  test.each([
    { name: 'with', enabled: true, ids: ['totp'] },
    { name: 'without', enabled: false, ids: [] },
  ])('listFactors of a user $name a factor', async ({ enabled, ids }) => {
    const reply = { body: { session: {}, user: { ...user, twoFactorEnabled: enabled } } };
    const { auth } = authClient([reply], { token: 'tok' });
    const { data } = await auth.mfa.listFactors();
    expect(data?.all.map(({ id }) => id)).toEqual(ids);
    expect(data?.totp).toEqual(data?.all);
  });
});

describe('without a session', () => {
  test('listing factors is UNAUTHORIZED', async () => {
    const { auth, sent } = authClient([aliveReply]);
    expect((await auth.mfa.listFactors()).error).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(sent).toEqual([]);
  });

  test('there is no level', async () => {
    const { data } = await authClient([]).auth.mfa.getAuthenticatorAssuranceLevel();
    expect(data).toEqual({ currentLevel: null, nextLevel: null });
  });
});
