// Operators with a second factor, for the tests that need one.
import { testPassword, type Reply, type TestConsole } from './console-under-test.js';
import { totp } from './totp.js';

export interface EnrolledOperator {
  readonly id: string;
  readonly email: string;
  /** A session token. */
  readonly token: string;
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

export function loginWith(site: TestConsole, email: string, trustToken?: string): Promise<Reply> {
  return site.call('POST', '/platform/login', {
    body: { email, password: testPassword, trustToken },
  });
}

export function secondFactor(
  site: TestConsole,
  verb: string,
  call: { readonly token: string | undefined; readonly body: unknown },
): Promise<Reply> {
  return site.call('POST', `/auth/two-factor/${verb}`, call);
}

/** An operator whose second factor was confirmed with the current code: the next one is free to be used. */
export async function enrolOperator(site: TestConsole): Promise<EnrolledOperator> {
  const { id, email, password } = await site.addOperator();
  const session = await site.signIn(email, password);
  const enrolment = await secondFactor(site, 'enable', { token: session, body: { password } });
  const { secret, backupCodes } = enrolment.body;
  const { status, body } = await secondFactor(site, 'verify-totp', {
    token: session,
    body: { code: totp(secret) },
  });
  if (status !== 200) throw new Error(`The enrolment answered ${status}`);
  return { id, email, token: String(body.token), secret, backupCodes };
}
