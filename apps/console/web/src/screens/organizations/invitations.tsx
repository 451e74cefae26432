import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { CopyButton } from '../../ui/copy.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { KnownUser } from '../users/known-user.js';
import { Pager } from '../users/pager.js';
import { Nothing, RemoveButton, Row, Rows } from '../users/rows.js';
import {
  cancelInvitation,
  type Invitation,
  invitationsQuery,
  perPage,
  refreshInvitations,
} from './queries.js';

interface InvitationsProps {
  /** The organization. */
  readonly id: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Who is invited to an organization and has not answered yet. */
export function Invitations({ id, page, onPage }: InvitationsProps): ReactNode {
  const { ref } = useProject();
  const headingId = useId();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(invitationsQuery(ref, id, page));
  const canceling = useMutation({
    mutationFn: (invitation: Invitation) =>
      cancelInvitation(ref, { id, invitationId: invitation.id }),
    onSuccess: (_, { email }) =>
      showToast({ kind: 'done', text: `The invitation to ${email} was canceled.` }),
    onSettled: () => refreshInvitations(queryClient, ref),
  });
  const { invitations = [], total = 0 } = data ?? {};
  const curl = curlOf({ path: projectPath(ref, `/api/admin/organizations/${id}/invitations`) });
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={headingId} className="text-[14px] font-semibold">
          Invitations
        </h3>
        <CopyButton text={curl} what="as curl: the invitations">
          Copy as curl
        </CopyButton>
      </header>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      <ProblemNotice of={canceling.error} effect="Nothing was changed." />
      {!data && !error && <WaitingInvitations />}
      {data && total === 0 && (
        <Nothing>
          No invitation is open. Owners and admins of the organization invite people.
        </Nothing>
      )}
      {invitations.length > 0 && (
        <Rows label="Invitations">
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              busy={canceling.isPending && canceling.variables.id === invitation.id}
              onCancel={() => canceling.mutate(invitation)}
            />
          ))}
        </Rows>
      )}
      {/* The last one of a page may be gone: the way back to the pages before stays. */}
      {total > 0 && (total > perPage || page > 1) && (
        <Pager
          label="Pages of the invitations"
          page={page}
          perPage={perPage}
          total={total}
          onPage={onPage}
        />
      )}
    </section>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly busy: boolean;
  readonly onCancel: () => void;
}

function InvitationRow({ invitation, busy, onCancel }: InvitationRowProps): ReactNode {
  const { ref } = useProject();
  const { email, role, inviterId, createdAt, expiresAt } = invitation;
  return (
    <Row
      title={email}
      about={
        <>
          {role ?? 'no role'} · invited <Time at={createdAt} /> by{' '}
          <Link
            to="/projects/$ref/users"
            params={{ ref }}
            search={{ open: inviterId }}
            className="rounded-sm underline"
          >
            <KnownUser projectRef={ref} id={inviterId} />
          </Link>{' '}
          · expires <Time at={expiresAt} />
        </>
      }
      action={
        <RemoveButton
          name="Cancel the invitation"
          shortName="Cancel"
          what={`to ${email}`}
          busy={busy}
          onRemove={onCancel}
        />
      }
    />
  );
}

/** One row: most organizations have few of them. */
function WaitingInvitations(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading the invitations">
      <Rows label="Loading">
        <li className="grid gap-1 px-4 py-3">
          <Skeleton className="w-40" />
          <Skeleton className="w-64" />
        </li>
      </Rows>
    </div>
  );
}
