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

/** Creates an invitation and mails its link. If the mail fails, the inviter can pass the link on. */
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
