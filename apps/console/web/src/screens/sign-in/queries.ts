// The steps of a sign-in. Each returns what is next.
import { answer, api, bearer } from '../../api/client.js';
import { isStudio } from '../../api/place.js';
import { continueSession, startSession } from '../../session/session.js';
import { keepTrustToken, trustTokenOf } from '../../session/trust.js';
import { noteUse } from '../../session/idle.js';
import type { CodeInput, Given, NextStep } from './steps.js';

export type { CodeInput, Given, NextStep } from './steps.js';

interface Signed {
  readonly token: string;
  readonly mustChangePassword: boolean;
  readonly trustToken?: string;
}

/** The steps at the studio of a project. */
const atStudio = () => import('./studio-steps.js');

/** `projectKey` is for the studio of a project that takes no request without one. */
export async function logIn({ email, password, projectKey }: Given): Promise<NextStep> {
  if (isStudio()) return (await atStudio()).logIn(email, password, projectKey);
  const trustToken = trustTokenOf(email);
  const body = { email, password, ...(trustToken !== undefined && { trustToken }) };
  const reply = await answer(api.POST('/platform/login', { body }));
  if (reply.twoFactor) return { step: 'code', challenge: reply.token };
  return begin(email, reply);
}

/** The second step, with the challenge of the first. */
export async function verifyCode(
  email: string,
  challenge: string,
  { kind, code, trustDevice }: CodeInput,
): Promise<NextStep> {
  if (isStudio()) return (await atStudio()).verifyCode(challenge, { kind, code });
  const call = { body: { code, trustDevice }, ...bearer(challenge) };
  const reply = await answer(
    kind === 'totp'
      ? api.POST('/auth/two-factor/verify-totp', call)
      : api.POST('/auth/two-factor/verify-backup-code', call),
  );
  return begin(email, reply);
}

/** Replaces the password that was given out; the session goes on, unless it has ended meanwhile. */
export async function replacePassword(
  token: string,
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<NextStep> {
  await answer(api.POST('/platform/password', { body: input }));
  continueSession(token, token);
  return { step: 'done' };
}

function begin(email: string, { token, mustChangePassword, trustToken }: Signed): NextStep {
  if (trustToken !== undefined) keepTrustToken(email, trustToken);
  noteUse();
  startSession({ token, mustChangePassword });
  return mustChangePassword ? { step: 'new-password' } : { step: 'done' };
}
