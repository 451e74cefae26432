import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import {
  challenge,
  codeOf,
  enrol,
  forgetSteps,
  levelOf,
  verify,
  type Enrolled,
} from './two-factor-people.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ settings: { 'auth.twoFactor': { enabled: true } } });
});
afterAll(() => project.close());

/** A user with a factor and a session that was opened without it. */
async function lowered(email: string): Promise<Enrolled> {
  const user = await enrol(project, email);
  await project.sql(`update auth.session set aal = 'aal1' where "tokenHash" = sha256($1)`, [
    user.token,
  ]);
  return user;
}

describe('a code on a session that lives', () => {
  test('raises it in place: same token, second level', async () => {
    const user = await lowered('raise@example.com');
    const headers = bearer(user.token);
    const reply = await verify(project, 'totp', codeOf(user.app), { headers });
    expect(reply.body).toMatchObject({ token: user.token, user: { id: user.id } });
    expect(await levelOf(project, user.token)).toBe('aal2');
    const session = await project.get('/get-session', { headers });
    expect(at(session.body, 'session')).toMatchObject({ token: user.token, aal: 'aal2' });
  });

  test('raises no other session of the user', async () => {
    const user = await enrol(project, 'only@example.com');
    const headers = await challenge(project, user.email);
    const second = textAt(
      (await verify(project, 'backup-code', user.backupCodes[0], { headers })).body,
      'token',
    );
    await project.sql(`update auth.session set aal = 'aal1' where "userId" = $1`, [user.id]);
    await verify(project, 'totp', codeOf(user.app), { headers: bearer(second) });
    expect([await levelOf(project, user.token), await levelOf(project, second)]).toEqual([
      'aal1',
      'aal2',
    ]);
  });

  test('that is wrong leaves it as it is', async () => {
    const user = await lowered('wrong@example.com');
    const reply = await verify(project, 'totp', '000000', { headers: bearer(user.token) });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_CODE']);
    expect(await levelOf(project, user.token)).toBe('aal1');
  });

  test('of a user without a factor raises nothing', async () => {
    const { body } = await signUp(project, 'without@example.com');
    const token = textAt(body, 'token');
    for (const kind of ['totp', 'otp', 'backup-code'] as const) {
      const reply = await verify(project, kind, '000000', { headers: bearer(token) });
      expect([kind, reply.status]).toEqual([kind, 409]);
    }
    expect(await levelOf(project, token)).toBe('aal1');
  });

  test('TOTP replay: is taken once, also between a sign-in and a step-up at once', async () => {
    const user = await lowered('replay@example.com');
    await forgetSteps(project, user.id);
    const code = codeOf(user.app);
    const waiting = await challenge(project, user.email);
    const replies = await Promise.all(
      [bearer(user.token), waiting, bearer(user.token)].map((headers) =>
        verify(project, 'totp', code, { headers }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('OTP brute force', () => {
  test('step-up takes five guesses in 15 minutes, of all kinds together, also at once', async () => {
    const user = await lowered('forced@example.com');
    const headers = bearer(user.token);
    const kinds = ['totp', 'otp', 'backup-code'] as const;
    const replies = await Promise.all(
      Array.from({ length: 21 }, (_, i) =>
        verify(project, kinds[i % 3] ?? 'totp', String(100_000 + i), { headers }),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(16);
    for (const kind of kinds) {
      const code = kind === 'totp' ? codeOf(user.app) : user.backupCodes[0];
      expect((await verify(project, kind, code, { headers })).status).toBe(429);
    }
    expect(await levelOf(project, user.token)).toBe('aal1');
  });

  test('is counted per user, not per session', async () => {
    const user = await lowered('per-user@example.com');
    const headers = await challenge(project, user.email);
    const second = textAt(
      (await verify(project, 'backup-code', user.backupCodes[0], { headers })).body,
      'token',
    );
    for (let i = 0; i < 5; i += 1) {
      await verify(project, 'totp', '000000', { headers: bearer(user.token) });
    }
    const reply = await verify(project, 'totp', codeOf(user.app), { headers: bearer(second) });
    expect(reply.status).toBe(429);
  });

  test('on a session locks nobody out of signing in, and the other way round', async () => {
    const user = await lowered('apart@example.com');
    for (let i = 0; i < 6; i += 1) {
      await verify(project, 'totp', '000000', { headers: bearer(user.token) });
    }
    const headers = await challenge(project, user.email);
    expect((await verify(project, 'totp', codeOf(user.app), { headers })).status).toBe(200);
  });

  test('a right code gives the guesses back', async () => {
    const user = await lowered('forgiven@example.com');
    const headers = bearer(user.token);
    const wrong = async (times: number) => {
      for (let i = 0; i < times; i += 1) await verify(project, 'totp', '000000', { headers });
    };
    await wrong(4);
    expect((await verify(project, 'totp', codeOf(user.app), { headers })).status).toBe(200);
    await wrong(4);
    expect((await verify(project, 'backup-code', user.backupCodes[0], { headers })).status).toBe(
      200,
    );
  });

  test('has the number of guesses of the settings, and ends with its window', async () => {
    const user = await lowered('settings@example.com');
    const via = await project.rebuild({ 'auth.twoFactor': { enabled: true, stepUpAttempts: 2 } });
    const attempt = async (code: string | undefined) => {
      const body = { code };
      const headers = bearer(user.token);
      return (await project.post('/two-factor/verify-backup-code', { body, headers, via })).status;
    };
    expect([await attempt('a'), await attempt('b'), await attempt(user.backupCodes[0])]).toEqual([
      400, 400, 429,
    ]);
    await project.sql(`update auth."twoFactor" set "stepUpWindowEnd" = now()`);
    expect(await attempt(user.backupCodes[0])).toBe(200);
  });

  test('an enrolment is not confirmed by guessing either', async () => {
    const { body } = await signUp(project, 'enrolment@example.com');
    const headers = bearer(textAt(body, 'token'));
    await project.post('/two-factor/enable', { body: { password: 'correct horse' }, headers });
    const replies = await Promise.all(
      Array.from({ length: 9 }, () => verify(project, 'totp', '000000', { headers })),
    );
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(5);
  });
});
