// Codes that are guessed, used twice or used again, tried on the whole application.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeFor } from '../support/authenticator.js';
import type { Reply } from '../support/http.js';
import { asRecord } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn, rowsOf, trySignIn } from './administration.js';
import {
  codeIn,
  cookiesOf,
  done,
  fieldOf,
  mailedCode,
  post,
  type CompleteProject,
  openCompleteProject,
} from './complete-project.js';
import { bearer } from '../support/replies.js';

let complete: CompleteProject;
let sms: SmsGateway;
let project: ProjectUnderTest;
beforeAll(async () => {
  complete = await openCompleteProject();
  ({ sms, project } = complete);
});
afterAll(() => complete.close());

let people = 0;
const newEmail = () => `victim${(people += 1)}@example.org`;
const sessionBy = async (headers: Readonly<Record<string, string>>) =>
  (await project.send({ path: '/api/auth/get-session', headers })).body;

describe('Second factor', () => {
  const enrol = async (email: string) => {
    const user = await makeSignedIn(project, email);
    const body = { password: userPassword };
    const uri = fieldOf(
      await done(post(project, '/two-factor/enable', body, bearer(user))),
      'totpURI',
    );
    await done(post(project, '/two-factor/verify-totp', { code: codeFor(uri) }, bearer(user)));
    await rowsOf(project, 'update auth."twoFactor" set "lastStep" = null where "userId" = $1', [
      user.id,
    ]);
    return { ...user, uri };
  };

  test('2FA challenge leaks a token: nothing of its answer is a session', async () => {
    const { email } = await enrol(newEmail());
    const reply = await trySignIn(project, email, userPassword);
    expect(reply.headers['set-auth-token']).toBeUndefined();
    expect(cookiesOf(reply)).not.toMatch(/session_token=[^;]/);
    const texts = [...Object.values(asRecord(reply.body)), ...Object.values(reply.headers)].flat();
    for (const text of texts.filter((each): each is string => typeof each === 'string')) {
      const found = await sessionBy({ authorization: `Bearer ${encodeURIComponent(text)}` });
      expect(found).toBeNull();
    }
  });

  test('TOTP replay: the same code twice, at once and later, opens one session', async () => {
    const { email, uri } = await enrol(newEmail());
    const challenge = async () => ({
      'x-mfa-token': fieldOf(await trySignIn(project, email, userPassword), 'mfaToken'),
    });
    const challenges = [await challenge(), await challenge(), await challenge()];
    const body = { code: codeFor(uri) };
    const statuses = await Promise.all(
      challenges.map(
        async (headers) => (await post(project, '/two-factor/verify-totp', body, headers)).status,
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const later = await post(project, '/two-factor/verify-totp', body, await challenge());
    expect(later.status).toBeGreaterThanOrEqual(400);
  });
});

const wrong = (code: string) => code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));

interface Guessed {
  readonly name: string;
  readonly send: (email: string) => Promise<string>;
  readonly enter: (email: string, code: string) => Promise<Reply>;
}
const phoneOf = (email: string) => `+1555888${/\d+/.exec(email)?.[0]?.padStart(4, '0') ?? '0000'}`;
const textedCode = async (path: string, email: string) => {
  await done(post(project, path, { phoneNumber: phoneOf(email) }));
  return codeIn((await sms.waitForSms(phoneOf(email))).text);
};
const sentCode = async (type: string, email: string) => {
  await done(post(project, '/email-otp/send-verification-otp', { email, type }));
  return mailedCode(project, email);
};
const newPassword = 'another good password';
const codes: readonly Guessed[] = [
  {
    name: 'a mailed code to sign in',
    send: (email) => sentCode('sign-in', email),
    enter: (email, otp) => post(project, '/sign-in/email-otp', { email, otp }),
  },
  {
    name: 'a mailed code that proves an address',
    send: (email) => sentCode('email-verification', email),
    enter: (email, otp) => post(project, '/email-otp/verify-email', { email, otp }),
  },
  {
    name: 'a mailed code of a recovery',
    send: async (email) => {
      await done(post(project, '/email-otp/request-password-reset', { email }));
      return mailedCode(project, email);
    },
    enter: (email, otp) =>
      post(project, '/email-otp/reset-password', { email, otp, password: newPassword }),
  },
  {
    name: 'a code by SMS',
    send: (email) => textedCode('/phone-number/send-otp', email),
    enter: (email, code) =>
      post(project, '/phone-number/verify', { phoneNumber: phoneOf(email), code }),
  },
  {
    name: 'a code of a recovery by SMS',
    send: (email) => textedCode('/phone-number/request-password-reset', email),
    enter: (email, otp) =>
      post(project, '/phone-number/reset-password', {
        phoneNumber: phoneOf(email),
        otp,
        newPassword,
      }),
  },
];

describe('OTP brute force and double use', () => {
  const known = async () => {
    const email = newEmail();
    await makeSignedIn(project, email, { phoneNumber: phoneOf(email), phoneNumberVerified: true });
    return email;
  };

  test.each(codes)('$name is dead after twenty wrong guesses at once', async ({ send, enter }) => {
    const email = await known();
    const code = await send(email);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => enter(email, wrong(code))));
    expect(new Set(guesses.map(({ status }) => status < 400))).toEqual(new Set([false]));
    expect((await enter(email, code)).status).toBeGreaterThanOrEqual(400);
  });

  test.each(codes)('$name is taken once of five uses at once', async ({ send, enter }) => {
    const email = await known();
    const code = await send(email);
    const uses = await Promise.all(Array.from({ length: 5 }, () => enter(email, code)));
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
