// Users with a second factor, and the app that shows their codes: an implementation other than ours.
import { TOTP, URI } from 'otpauth';
import { password, signUp, type AuthProject, type Reply } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

export interface Enrolled {
  readonly id: string;
  readonly email: string;
  /** Of the session that has set the factor up; it is of the second level. */
  readonly token: string;
  readonly app: TOTP;
  readonly backupCodes: readonly string[];
}

/** The app that an enrolment was scanned with. */
export function appOf(enrolment: unknown): TOTP {
  const app = URI.parse(textAt(enrolment, 'totpURI'));
  if (!(app instanceof TOTP)) throw new Error('the address is not one of TOTP');
  return app;
}

/** The code that the app shows now, or showed `steps` of 30 seconds from now: one step each way is accepted. */
export function codeOf(app: TOTP, steps: -1 | 0 | 1 = 0): string {
  return app.generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Signs up and begins to set up an app. */
export async function beginEnrolment(project: AuthProject, email: string) {
  const { body } = await signUp(project, email);
  const token = textAt(body, 'token');
  const reply = await project.post('/two-factor/enable', {
    body: { password },
    headers: bearer(token),
  });
  if (reply.status !== 200) throw new Error(`no enrolment: ${JSON.stringify(reply.body)}`);
  return { id: textAt(body, 'user', 'id'), email, token, enrolment: reply.body };
}

/** A user whose app is set up, with none of its codes used up that a test may want. */
export async function enrol(project: AuthProject, email: string): Promise<Enrolled> {
  const { enrolment, ...user } = await beginEnrolment(project, email);
  const app = appOf(enrolment);
  const reply = await verify(project, 'totp', codeOf(app), { headers: bearer(user.token) });
  if (reply.status !== 200) throw new Error(`not verified: ${JSON.stringify(reply.body)}`);
  await forgetSteps(project, user.id);
  const codes = at(enrolment, 'backupCodes');
  return { ...user, app, backupCodes: Array.isArray(codes) ? codes.map(String) : [] };
}

/** As if the app had been used long ago. */
export async function forgetSteps(project: AuthProject, userId: string): Promise<void> {
  await project.sql('update auth."twoFactor" set "lastStep" = null where "userId" = $1', [userId]);
}

type Headers = Readonly<Record<string, string>>;

/** The right password. */
export function signIn(project: AuthProject, email: string, headers: Headers = {}): Promise<Reply> {
  return project.post('/sign-in/email', { body: { email, password }, headers });
}

/** The header of the challenge that a right password was answered with. */
export async function challenge(project: AuthProject, email: string): Promise<Headers> {
  return { 'x-mfa-token': textAt((await signIn(project, email)).body, 'mfaToken') };
}

export function verify(
  project: AuthProject,
  kind: 'totp' | 'otp' | 'backup-code',
  code: string | undefined,
  { headers, ...rest }: { readonly headers: Headers; readonly trustDevice?: boolean },
): Promise<Reply> {
  return project.post(`/two-factor/verify-${kind}`, { body: { code, ...rest }, headers });
}

/** The level of a session as the database has it; undefined when there is no such session. */
export async function levelOf(project: AuthProject, token: string): Promise<unknown> {
  const rows = await project.sql('select aal from auth.session where "tokenHash" = sha256($1)', [
    token,
  ]);
  return rows[0]?.['aal'];
}
