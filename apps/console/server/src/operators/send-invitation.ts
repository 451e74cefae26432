import {
  type InvitationInput,
  invite,
  type Inviter,
  type NewInvitation,
} from '#libs/control-plane';
import type { ConsoleDeps } from '../http/console-deps.js';

/** Creates an invitation to this console, whose link is mailed if the deployment has a mail server. */
export function sendInvitation(
  { controlPlane, consoleUrl, canMail }: ConsoleDeps,
  inviter: Inviter,
  input: Omit<InvitationInput, 'urlOf' | 'isMailed'>,
): Promise<NewInvitation> {
  return invite(controlPlane, inviter, {
    ...input,
    // A fragment is not sent to servers, so the token stays out of their logs.
    urlOf: (token) => `${consoleUrl}/invitation#token=${token}`,
    isMailed: canMail,
  });
}
