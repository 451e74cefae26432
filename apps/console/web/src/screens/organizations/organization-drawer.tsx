import { useMutation, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Choice } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { Pager } from '../users/pager.js';
import { Nothing, RemoveButton, Row, Rows } from '../users/rows.js';
import { AddMember } from './add-member.js';
import { Invitations } from './invitations.js';
import {
  invitationsQuery,
  type Member,
  membersQuery,
  perPage,
  refreshMembers,
  removeMember,
  type Role,
  roles,
  setMember,
} from './queries.js';

interface OrganizationDrawerProps {
  readonly id: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly invitationsPage: number;
  readonly onInvitationsPage: (page: number) => void;
  readonly onClose: () => void;
}

/** An organization with its members: their roles, removal, who joins, and who is invited. */
export default function OrganizationDrawer(props: OrganizationDrawerProps): ReactNode {
  const { id, page, onPage, invitationsPage, onInvitationsPage, onClose } = props;
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(membersQuery(ref, id, page));
  // They are shown below the members, which would move them: read at once, shown with the members.
  usePrefetchQuery(invitationsQuery(ref, id, invitationsPage));
  const refresh = () => refreshMembers(queryClient, ref);
  const setting = useMutation({
    mutationFn: ({ userId, role }: { readonly userId: string; readonly role: Role }) =>
      setMember(ref, { id, userId, role }),
    onSettled: refresh,
  });
  const undoRemoval = ({ userId, role }: Member) =>
    setMember(ref, { id, userId, role: roleOf(role) }).then(refresh, showProblem);
  const removing = useMutation({
    mutationFn: ({ userId }: Member) => removeMember(ref, { id, userId }),
    onSuccess: (_, member) =>
      showToast({
        kind: 'done',
        text: `${nameOf(member)} was removed.`,
        undo: { label: 'Undo', run: () => void undoRemoval(member) },
      }),
    onSettled: refresh,
  });
  const { organization, members = [], total = 0 } = data ?? {};
  const curl = curlOf({ path: projectPath(ref, `/api/admin/organizations/${id}/members`) });
  return (
    <Dialog
      title={organization?.name ?? 'Organization'}
      about={organization && `${organization.slug}, ${counted(organization.members, 'member')}`}
      place="drawer"
      onClose={onClose}
    >
      <DialogBody>
        <div className="flex flex-wrap items-center gap-2 text-[13px] text-soft">
          <code className="mr-auto break-all">{id}</code>
          <CopyButton text={id} what="the id of the organization" />
          <CopyButton text={curl} what="as curl: the members">
            Copy as curl
          </CopyButton>
        </div>
        <ProblemNotice of={error} onRetry={() => void refetch()} />
        <ProblemNotice of={setting.error ?? removing.error} effect="Nothing was changed." />
        {organization?.owners === 0 && (
          <Notice kind="warning">
            This organization has no owner: none of its members can change it. Make one the owner.
          </Notice>
        )}
        {!data && !error && <Skeleton className="w-64" />}
        {data && members.length === 0 && <Nothing>The organization has no members.</Nothing>}
        {members.length > 0 && (
          <Rows label="Members">
            {members.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                busy={removing.isPending}
                onRole={(role) => setting.mutate({ userId: member.userId, role })}
                onRemove={() => removing.mutate(member)}
              />
            ))}
          </Rows>
        )}
        {total > perPage && <Pager page={page} perPage={perPage} total={total} onPage={onPage} />}
        {data && (
          <AddMember
            memberIds={members.map(({ userId }) => userId)}
            busy={setting.isPending}
            onAdd={setting.mutate}
          />
        )}
        {data && <Invitations id={id} page={invitationsPage} onPage={onInvitationsPage} />}
      </DialogBody>
    </Dialog>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly busy: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
}

function MemberRow({ member, busy, onRole, onRemove }: MemberRowProps): ReactNode {
  const { ref } = useProject();
  const { userId, email, status, role, createdAt } = member;
  const name = nameOf(member);
  return (
    <Row
      title={
        <Link
          to="/projects/$ref/users"
          params={{ ref }}
          search={{ open: userId }}
          className="rounded-sm hover:underline"
        >
          {name}
        </Link>
      }
      about={
        <>
          {email !== name && `${email} · `}
          {status !== 'active' && `${status} · `}
          since <Time at={createdAt} />
        </>
      }
      action={
        <span className="flex items-center gap-2">
          <Choice
            label={`Role of ${name}`}
            isBare
            className="w-auto"
            value={roleOf(role)}
            onChange={({ currentTarget }) => onRole(roleOf(currentTarget.value))}
          >
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Choice>
          <RemoveButton name="Remove" what={name} busy={busy} onRemove={onRemove} />
        </span>
      }
    />
  );
}

const nameOf = ({ name, email, userId }: Member): string => name || email || userId;

const roleOf = (text: string): Role => roles.find((role) => role === text) ?? 'member';
