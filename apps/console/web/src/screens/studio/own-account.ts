// What administrators change of their own account in the studio, by the routes of the project's accounts.
import { sendPlain } from '../../api/client.js';
import { Problem, problemOf } from '../../api/problem.js';
import { continueSession, currentToken } from '../../session/session.js';
import { readJson } from '../tables/requests.js';

interface Enrolment {
  readonly totpURI: string;
  readonly secret: string;
  readonly backupCodes: string[];
}

export async function beginEnrolment(password: string): Promise<Enrolment> {
  const { totpURI, backupCodes } = await ofSecondFactor(
    post('/auth/two-factor/enable', { password }),
  );
  const uri = String(totpURI);
  return {
    totpURI: uri,
    secret: new URL(uri).searchParams.get('secret') ?? '',
    backupCodes: texts(backupCodes),
  };
}

export async function confirmEnrolment(code: string): Promise<void> {
  await ofSecondFactor(change('/auth/two-factor/verify-totp', { code }));
}

export async function turnSecondFactorOff(password: string): Promise<void> {
  await ofSecondFactor(change('/auth/two-factor/disable', { password }));
}

export async function replaceBackupCodes(
  password: string,
): Promise<Pick<Enrolment, 'backupCodes'>> {
  const { backupCodes } = await ofSecondFactor(
    post('/api/auth/two-factor/generate-backup-codes', { password }),
  );
  return { backupCodes: texts(backupCodes) };
}

export async function changePassword(input: {
  readonly currentPassword: string;
  readonly newPassword: string;
}): Promise<void> {
  await change('/api/auth/change-password', { ...input, revokeOtherSessions: true });
}

/** A change after which the session may have another token. */
async function change(path: string, body: object): Promise<void> {
  const before = currentToken();
  const { token } = await post(path, body);
  if (typeof token === 'string' && token !== before) continueSession(before, token);
}

async function post(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await sendPlain(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered = await readJson(response);
  if (response.ok) return { ...Object(answered) };
  throw problemOf(response, answered);
}

/** The routes of the second factor are there only while the settings of the project offer it. */
async function ofSecondFactor<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    const { code, status, requestId } = error;
    throw new Problem(
      'The project does not offer this. Turn it on in the settings, under “Second factor”.',
      code,
      status,
      requestId,
      undefined,
    );
  }
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
