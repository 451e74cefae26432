import { answer, api, bearer } from '../api/client.js';
import { Problem } from '../api/problem.js';

/** The code of the problem of a wrong password. */
export const wrongPassword = 'WRONG_PASSWORD';

/**
 * Checks the password of the operator who is signed in, before a secret is shown. Throws a problem with the code
 * {@link wrongPassword} for a wrong one, which counts as a failed sign-in.
 */
export async function confirmPassword(email: string, password: string): Promise<void> {
  const { token, twoFactor } = await answer(
    api.POST('/platform/login', { body: { email, password } }),
  ).catch(inPlainWords);
  // With a second factor the token is a challenge, which expires unused.
  if (!twoFactor) await answer(api.POST('/auth/sign-out', bearer(token)));
}

/** The address is that of the session, so the password alone can be wrong. */
function inPlainWords(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'INVALID_CREDENTIALS') throw error;
  throw new Problem(
    'That password is not right. Type the password with which you signed in.',
    wrongPassword,
    error.status,
    undefined,
    undefined,
  );
}
