import { sendPlain } from '../api/client.js';
import { isStudio } from '../api/place.js';
import { Problem } from '../api/problem.js';
import { currentSession, endSession, type Ending } from './session.js';

/** Ends the session here at once, and on the server as soon as it answers. */
export async function signOut(ending: Ending = 'signed-out'): Promise<void> {
  const session = currentSession();
  endSession(ending);
  if (session) await endOnServer(session.token, session.projectKey);
}

/** Ends the session of a token on the server. */
export async function endOnServer(token: string, projectKey?: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(projectKey !== undefined && { apikey: projectKey }),
  };
  const path = isStudio() ? '/api/auth/sign-out' : '/auth/sign-out';
  try {
    await sendPlain(path, { method: 'POST', headers, keepalive: true });
  } catch (error) {
    // Without a connection, the session ends on the server when it expires.
    if (!(error instanceof Problem)) throw error;
  }
}
