import { answer, api, type Schemas } from '../../api/client.js';
import { currentSession } from '../../session/session.js';

export type Accepted = Schemas['AcceptedReply'];

/** A new operator, with the password that they choose. */
export function acceptAsNew(
  token: string,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<Accepted> {
  return answer(
    api.POST('/platform/operators/invitations/accept', {
      body: { token, name, password },
    }),
  );
}

/** The operator who is signed in. */
export function acceptAsOperator(token: string): Promise<Accepted> {
  return answer(api.POST('/platform/operators/invitations/accept', { body: { token } }));
}

export const isSignedIn = (): boolean => currentSession()?.mustChangePassword === false;
