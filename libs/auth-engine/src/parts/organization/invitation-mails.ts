import type { AuthConfig } from '../../auth-config.js';
import type { EndpointCall } from './guarded-endpoints.js';

/** The facts in a mail about an invitation. */
interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly organization: { readonly name: string };
  readonly inviter: { readonly user: { readonly name: string; readonly email: string } };
}

/**
 * Sends the mails of invitations. The engine logs a mail that cannot be sent and answers as if it were on its
 * way; `refuseUnsent` is called at the end of the request and throws what went wrong instead, so that no
 * invitation stays whose mail was not sent.
 */
export function invitationMails({ messages, settings }: Pick<AuthConfig, 'messages' | 'settings'>) {
  const expiresInMinutes = Math.round(settings['auth.organization'].invitationExpiresIn / 60);
  const unsent = new WeakMap<Request, unknown>();
  return {
    sendInvitationEmail: async (invitation: Invitation, request?: Request): Promise<void> => {
      const { id, email, role, organization, inviter } = invitation;
      try {
        await messages.mail({
          kind: 'inviteMember',
          to: email,
          values: {
            invitationId: id,
            organizationName: organization.name,
            inviterName: inviter.user.name || inviter.user.email,
            role,
            expiresInMinutes,
          },
        });
      } catch (error) {
        if (!request) throw error;
        unsent.set(request, error);
      }
    },
    refuseUnsent: ({ request }: EndpointCall): void => {
      if (request && unsent.has(request)) throw unsent.get(request);
    },
  };
}
