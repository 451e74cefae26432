import {
  type InvitationView,
  invite,
  type InvitationInput,
  type Inviter,
} from '#libs/control-plane';
import type { FastifyBaseLogger } from 'fastify';
import type { ConsoleDeps, Mail } from '../http/console-deps.js';

export interface SentInvitation extends InvitationView {
  readonly inviteUrl: string;
  readonly mailed: boolean;
}

/** Creates an invitation and mails its link. If the mail fails, the inviter can pass the link on. */
export async function sendInvitation(
  deps: ConsoleDeps,
  inviter: Inviter & { readonly log: FastifyBaseLogger },
  input: InvitationInput,
): Promise<SentInvitation> {
  const { invitation, token } = await invite(deps.controlPlane, inviter, input);
  // Browsers do not send the fragment to servers, so the token stays out of their logs.
  const inviteUrl = `${deps.consoleUrl}/invitation#token=${token}`;
  const mail = invitationMail(invitation, inviteUrl, inviter.actor.email);
  try {
    await deps.mailer?.send(mail);
    return { ...invitation, inviteUrl, mailed: deps.mailer !== undefined };
  } catch (err) {
    inviter.log.error({ err }, 'An invitation was not mailed');
    return { ...invitation, inviteUrl, mailed: false };
  }
}

function invitationMail({ email, expiresAt }: InvitationView, url: string, from: string): Mail {
  return {
    to: email,
    subject: 'You are invited to a Rowhouse console',
    text: [
      `${from} invites you to work on projects in a Rowhouse console.`,
      `Accept the invitation until ${expiresAt.toUTCString()}:`,
      url,
    ].join('\n\n'),
  };
}
