import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MailPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { Schemas } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { RemoveButton, Row, Rows } from '../users/rows.js';
import { inviteAgain, mailNow, refreshOperators, revokeInvitation } from './actions.js';
import { roleTitles } from './capabilities.js';
import { Waiting } from './empty.js';
import { InvitationLink } from './invitation-link.js';
import { nameOf } from './people.js';
import { type Invitation, invitationsQuery } from './queries.js';
import { Refusal } from './refusal.js';
import type { OperatorsWorld } from './world.js';

type NewInvitation = Schemas['NewInvitationReply'];

/** The invitations that can still be accepted. */
export function InvitationsTab({ world }: { readonly world: OperatorsWorld }): ReactNode {
  const queryClient = useQueryClient();
  const ids = world.organizations.map(({ id }) => id);
  const { data, error, refetch } = useQuery(invitationsQuery(ids));
  const [made, setMade] = useState<NewInvitation>();
  const onSettled = () => refreshOperators(queryClient);
  const sending = useMutation({
    mutationFn: async (invitation: Invitation): Promise<NewInvitation | undefined> => {
      if (!waits(invitation)) return inviteAgain(invitation);
      await mailNow(invitation);
      return undefined;
    },
    onSuccess: (again, { email }) => {
      if (again?.inviteUrl !== undefined) setMade(again);
      else showToast({ kind: 'done', text: `The invitation to ${email} is on its way.` });
    },
    onSettled,
  });
  const revoking = useMutation({ mutationFn: revokeInvitation, onSettled });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Refusal of={sending.error ?? revoking.error} />
      {!data && <ProblemNotice of={error} onRetry={() => void refetch()} />}
      {!data && !error && <Waiting />}
      {data?.length === 0 && <NoInvitations />}
      {data && data.length > 0 && (
        <Rows label="Open invitations">
          {data.map((invitation) => (
            <Row
              key={invitation.id}
              title={invitation.email}
              about={<About world={world} invitation={invitation} />}
              action={
                <span className="flex flex-wrap gap-1.5">
                  <Button
                    size="small"
                    busy={sending.isPending && sending.variables.id === invitation.id}
                    aria-label={`${sendName(invitation)} to ${invitation.email}`}
                    onClick={() => sending.mutate(invitation)}
                  >
                    {sendName(invitation)}
                  </Button>
                  <RemoveButton
                    name="Revoke"
                    what={`the invitation of ${invitation.email}`}
                    busy={revoking.isPending && revoking.variables.id === invitation.id}
                    onRemove={() => revoking.mutate(invitation)}
                  />
                </span>
              }
            />
          ))}
        </Rows>
      )}
      {made?.inviteUrl !== undefined && (
        <InvitationLink invitation={made} url={made.inviteUrl} onClose={() => setMade(undefined)} />
      )}
    </div>
  );
}

/** Whether its mail has not reached the mail server: it is sent, without another link. */
const waits = ({ mail }: Invitation): boolean =>
  mail !== null && (mail.status === 'queued' || mail.status === 'failed');

function sendName(invitation: Invitation): string {
  if (waits(invitation)) return 'Send now';
  return invitation.mail === null ? 'New link' : 'Send again';
}

interface AboutProps {
  readonly world: OperatorsWorld;
  readonly invitation: Invitation;
}

function About({ world, invitation }: AboutProps): ReactNode {
  const { organizationId, projectRef, role, invitedBy, createdAt, expiresAt, mail } = invitation;
  const inviter = world.people.find(({ id }) => id === invitedBy);
  return (
    <>
      {roleTitles[role]} on {world.placeName({ organizationId, ref: projectRef })}
      {projectRef !== null && ` in ${world.organizationName(organizationId)}`} · invited{' '}
      <Time at={createdAt} /> by {inviter ? nameOf(inviter) : 'an operator who is gone'} · ends{' '}
      <Time at={expiresAt} />
      <span className="block">
        {mail === null && 'Not mailed: the link was handed over.'}
        {mail?.status === 'sent' && 'The mail server has taken the mail.'}
        {mail?.status === 'sending' && 'The mail is being sent.'}
        {mail?.status === 'queued' && (
          <>
            The mail waits
            {mail.nextTryAt !== null && (
              <>
                {' '}
                for the next try, <Time at={mail.nextTryAt} />
              </>
            )}
            {mail.lastError === null ? '.' : `. ${mail.lastError}`}
          </>
        )}
        {mail?.status === 'failed' && (
          <span className="text-danger">The mail was refused. {mail.lastError}</span>
        )}
      </span>
    </>
  );
}

function NoInvitations(): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <MailPlus aria-hidden className="size-6 text-soft" />
      <p className="font-medium">No invitation is open</p>
      <p className="max-w-prose text-[14px] text-soft">
        Press “Invite” to give a person a role in an organization or on a project. Until the link is
        used, the invitation is listed here.
      </p>
    </div>
  );
}
