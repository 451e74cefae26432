// The steps of a sign-in at the studio of a project: an account of the project with the role ADMIN.
import { answer, bearer, projectApi, sendPlain } from '../../api/client.js';
import { studioRef } from '../../api/place.js';
import { asProblem, Problem, problemOf } from '../../api/problem.js';
import { noteUse } from '../../session/idle.js';
import { startSession } from '../../session/session.js';
import { endOnServer } from '../../session/sign-out.js';
import { readJson } from '../tables/requests.js';
import type { CodeInput, NextStep } from './steps.js';

/** The publishable key with which the sign-in has begun. */
let projectKey: string | undefined;

/** `key` is needed where the project takes no request without one (INVALID_API_KEY). */
export async function logIn(
  email: string,
  password: string,
  key: string | undefined,
): Promise<NextStep> {
  projectKey = key;
  const { mfaToken, token } = await post('/auth/login', { email, password });
  if (typeof mfaToken === 'string') return { step: 'code', challenge: mfaToken };
  return begin(String(token));
}

/** The second step, with the challenge of the first. No device is trusted: administration needs a code each time. */
export async function verifyCode(
  challenge: string,
  { kind, code }: Pick<CodeInput, 'kind' | 'code'>,
): Promise<NextStep> {
  const path =
    kind === 'totp' ? '/auth/two-factor/verify-totp' : '/api/auth/two-factor/verify-backup-code';
  const { token } = await post(path, { code }, { 'x-mfa-token': challenge });
  return begin(String(token));
}

/** Starts the session, unless its user may not administer the project: then it ends at once. */
async function begin(token: string): Promise<NextStep> {
  try {
    const headers = { ...bearer(token).headers, ...ofKey() };
    await answer(projectApi(studioRef).GET('/api/admin/session', { headers }));
  } catch (error) {
    await endOnServer(token, projectKey);
    throw inWords(asProblem(error));
  }
  noteUse();
  startSession({ token, mustChangePassword: false, projectKey });
  return { step: 'done' };
}

async function post(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const response = await sendPlain(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ofKey(), ...headers },
    body: JSON.stringify(body),
  });
  const answered = await readJson(response);
  if (!response.ok) throw inWords(problemOf(response, answered));
  return { ...Object(answered) };
}

const ofKey = (): Readonly<Record<string, string>> =>
  projectKey === undefined ? {} : { apikey: projectKey };

const words: Readonly<Record<string, string>> = {
  ADMIN_REQUIRED:
    'This account is not an administrator of the project. Ask an administrator to promote it.',
  INVALID_API_KEY:
    'The project takes no request without a key. Type its publishable key, which its apps have.',
  CAPTCHA_MISSING:
    'The project asks for a CAPTCHA at each sign-in, which the studio does not show. Work on the project in the console of the deployment.',
};

/** The problem in the words of a person who signs in. */
function inWords(problem: Problem): Problem {
  const { code, status, requestId, retryAfterSeconds, details } = problem;
  const message = words[code];
  if (message === undefined) return problem;
  return new Problem(message, code, status, requestId, retryAfterSeconds, details);
}
