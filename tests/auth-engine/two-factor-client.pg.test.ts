// The published client of the engine, as apps that come from it use it: by cookies.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthClient } from 'better-auth/client';
import { phoneNumberClient, twoFactorClient } from 'better-auth/client/plugins';
import { URI, TOTP } from 'otpauth';
import {
  openAuthProject,
  password,
  signUp,
  type AuthProject,
  engineRequest,
} from './auth-project.js';
import { codeOf, forgetSteps } from './two-factor-people.js';

const baseURL = 'http://abc.localhost:8000';
let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({
    idType: 'uuid',
    settings: {
      'auth.twoFactor': { enabled: true, emailCodes: true },
      'auth.phoneOtp': { enabled: true },
    },
  });
});
afterAll(() => project.close());

/** A client with the cookies of a browser of its own. */
function openClient() {
  const jar = new Map<string, string>();
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    request.headers.set('origin', baseURL);
    if (jar.size > 0) {
      request.headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '));
    }
    const response = await project.auth.handle(engineRequest(request), {
      ip: '203.0.113.1',
      requestId: 'r',
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return createAuthClient({
    baseURL,
    plugins: [twoFactorClient(), phoneNumberClient()],
    fetchOptions: { customFetchImpl: send },
  });
}

test('sets an app up, and signs in with its code, a mailed one, a backup code, and a trusted device', async () => {
  const email = 'client@example.com';
  await signUp(project, email);
  const client = openClient();
  await client.signIn.email({ email, password });
  const { data: enrolment } = await client.twoFactor.enable({ password });
  const { totpURI = '', backupCodes = [] } = Object(enrolment);
  const app = URI.parse(totpURI);
  if (!(app instanceof TOTP)) throw new Error('the address is not one of TOTP');
  expect((await client.twoFactor.verifyTotp({ code: codeOf(app) })).error).toBeNull();

  const other = openClient();
  const isAsked = async () =>
    Reflect.get(Object((await other.signIn.email({ email, password })).data), 'twoFactorRedirect');
  expect(await isAsked()).toBe(true);
  await other.twoFactor.sendOtp();
  const code = String(project.mails.at(-1)?.values['code']);
  expect((await other.twoFactor.verifyOtp({ code })).error).toBeNull();
  expect(await isAsked()).toBe(true);
  expect((await other.twoFactor.verifyBackupCode({ code: backupCodes[0] })).error).toBeNull();
  expect(await isAsked()).toBe(true);
  const { data: session } = await client.getSession();
  await forgetSteps(project, session?.user.id ?? '');
  const trusted = await other.twoFactor.verifyTotp({ code: codeOf(app), trustDevice: true });
  expect(trusted.error).toBeNull();
  expect(await isAsked()).toBeUndefined();

  expect((await client.twoFactor.generateBackupCodes({ password })).data?.backupCodes).toHaveLength(
    10,
  );
  expect((await client.twoFactor.disable({ password })).data).toMatchObject({ status: true });
});

test('signs in by SMS and recovers a password', async () => {
  const phoneNumber = '+15551290001';
  const client = openClient();
  await client.phoneNumber.sendOtp({ phoneNumber });
  const code = project.texts.at(-1)?.code ?? '';
  expect((await client.phoneNumber.verify({ phoneNumber, code })).error).toBeNull();
  expect((await client.getSession()).data?.user).toMatchObject({ phoneNumber });
  await client.phoneNumber.requestPasswordReset({ phoneNumber });
  const otp = project.texts.at(-1)?.code ?? '';
  const reset = await client.phoneNumber.resetPassword({ phoneNumber, otp, newPassword: password });
  expect(reset.error).toBeNull();
  const { data } = await openClient().signIn.phoneNumber({ phoneNumber, password });
  expect(data?.user).toMatchObject({ phoneNumber });
});
