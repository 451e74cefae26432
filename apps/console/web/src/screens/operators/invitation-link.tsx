import type { ReactNode } from 'react';

import type { Schemas } from '../../api/client.js';
import { exactTime } from '../../ui/time-in-words.js';
import { ShownOnce } from '../users/shown-once.js';

interface InvitationLinkProps {
  readonly invitation: Schemas['NewInvitationReply'];
  readonly url: string;
  readonly onClose: () => void;
}

/** The link of an invitation, which administrators of the deployment may hand over. */
export function InvitationLink({ invitation, url, onClose }: InvitationLinkProps): ReactNode {
  const { email, expiresAt, mail } = invitation;
  return (
    <ShownOnce title={`Invitation for ${email}`} label="Link" secret={url} onClose={onClose}>
      <p>
        {mail === null
          ? 'The deployment has no mail server: hand the link over yourself, to this person alone.'
          : 'The link is mailed as well. Who holds it can accept in the name of the address.'}
      </p>
      <p>It works once, until {exactTime(expiresAt)}.</p>
    </ShownOnce>
  );
}
