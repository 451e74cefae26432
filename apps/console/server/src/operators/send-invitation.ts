import {
  type InvitationInput,
  type InvitationView,
  invite,
  type Inviter,
} from '#libs/control-plane';
import type { ConsoleDeps } from '../http/console-deps.js';

export interface SentInvitation extends InvitationView {
  readonly inviteUrl: string;
}

/** Makes an invitation, whose link a worker mails where mail is set up. The link is there to be handed over as well. */
export async function sendInvitation(
  { controlPlane, consoleUrl, canMail }: ConsoleDeps,
  inviter: Inviter,
  input: Omit<InvitationInput, 'urlOf' | 'isMailed'>,
): Promise<SentInvitation> {
  const { invitation, inviteUrl } = await invite(controlPlane, inviter, {
    ...input,
    // A fragment is not sent to servers, so the token stays out of their logs.
    urlOf: (token) => `${consoleUrl}/invitation#token=${token}`,
    isMailed: canMail,
  });
  return { ...invitation, inviteUrl };
}
