// What is done with operators and their memberships, with the message and the way back.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';

import { answer, api } from '../../api/client.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { type Grant, grantBody, roleTitles } from './capabilities.js';
import { nameOf, type Person, type Place } from './people.js';
import { type Invitation, type Membership, operatorsKey } from './queries.js';

/** Reads all of the screen again, and what the own rights are. */
export async function refreshOperators(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['organizations'] });
  void queryClient.invalidateQueries({ queryKey: ['operator'], exact: true });
  await queryClient.invalidateQueries({ queryKey: operatorsKey });
}

const giveRole = (operatorId: string, { organizationId, ref }: Place, grant: Grant) => {
  const body = { operatorId, ...(ref !== null && { projectRef: ref }), ...grantBody(grant) };
  return answer(
    api.POST('/platform/organizations/{organizationId}/memberships', {
      params: { path: { organizationId } },
      body,
    }),
  );
};

const changeRole = ({ organizationId, id: membershipId }: Membership, grant: Grant) =>
  answer(
    api.PATCH('/platform/organizations/{organizationId}/members/{membershipId}', {
      params: { path: { organizationId, membershipId } },
      body: grantBody(grant),
    }),
  );

const takeRole = ({ organizationId, id: membershipId }: Membership) =>
  answer(
    api.DELETE('/platform/organizations/{organizationId}/members/{membershipId}', {
      params: { path: { organizationId, membershipId } },
    }),
  );

export interface RoleChange {
  readonly person: Person;
  readonly place: Place;
  /** What the place is called. */
  readonly placeName: string;
  /** The membership that is there now. */
  readonly membership: Membership | undefined;
  /** Undefined: the membership ends. */
  readonly grant: Grant | undefined;
  /** Whether a membership that ends can be given again without an invitation. */
  readonly canGiveBack: boolean;
}

export interface OperatorActions {
  /** Throws what the server refuses. */
  setRole(change: RoleChange): Promise<void>;
  /** The failures of these are shown as messages. */
  setStatus(person: Person, status: Person['status']): Promise<void>;
  setAdministrator(person: Person, isDeploymentAdmin: boolean): Promise<void>;
}

export function useOperatorActions(): OperatorActions {
  const queryClient = useQueryClient();
  const run = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showProblem(error);
    }
    await refreshOperators(queryClient);
  };
  const patch = (id: string, body: { status?: Person['status']; isDeploymentAdmin?: boolean }) =>
    answer(api.PATCH('/platform/operators/{id}', { params: { path: { id } }, body }));
  const actions: OperatorActions = {
    async setRole(change) {
      const undo = await makeChange(change);
      await refreshOperators(queryClient);
      showToast({
        kind: 'done',
        text: changeInWords(change),
        ...(undo && { undo: { label: 'Undo', run: () => void run(undo) } }),
      });
    },
    setStatus: (person, status) =>
      run(async () => {
        await patch(person.id, { status });
        const name = nameOf(person);
        if (status === 'active') showToast({ kind: 'done', text: `${name} can sign in again.` });
        else
          showToast({
            kind: 'done',
            text: `${name} is deactivated and signed out everywhere.`,
            undo: { label: 'Undo', run: () => void actions.setStatus(person, 'active') },
          });
      }),
    setAdministrator: (person, isDeploymentAdmin) =>
      run(async () => {
        await patch(person.id, { isDeploymentAdmin });
        const words = isDeploymentAdmin ? 'administers' : 'no longer administers';
        showToast({
          kind: 'done',
          text: `${nameOf(person)} ${words} the deployment.`,
          undo: {
            label: 'Undo',
            run: () => void actions.setAdministrator(person, !isDeploymentAdmin),
          },
        });
      }),
  };
  return actions;
}

/** Makes the change. Returns how it is taken back; undefined if that takes an invitation. */
async function makeChange({
  person,
  place,
  membership,
  grant,
  canGiveBack,
}: RoleChange): Promise<(() => Promise<void>) | undefined> {
  if (!membership) {
    if (!grant) return undefined;
    const given = await giveRole(person.id, place, grant);
    return () => takeRole(given);
  }
  if (grant) {
    await changeRole(membership, grant);
    return () => changeRole(membership, membership);
  }
  await takeRole(membership);
  if (!canGiveBack) return undefined;
  return async () => {
    await giveRole(person.id, place, membership);
  };
}

function changeInWords({ person, placeName, grant }: RoleChange): string {
  const name = nameOf(person);
  if (!grant) return `${name} has no role on ${placeName} any more.`;
  return `${name} has the role ${roleTitles[grant.role]} on ${placeName}.`;
}

/** Invites again: the new invitation replaces the earlier one, and its link is mailed or in the answer. */
export const inviteAgain = ({ email, organizationId, projectRef, ...grant }: Invitation) =>
  answer(
    api.POST('/platform/operators/invitations', {
      body: {
        email,
        organizationId,
        ...grantBody(grant),
        ...(projectRef !== null && { projectRef }),
      },
    }),
  );

export const mailNow = ({ id, organizationId }: Invitation) =>
  answer(
    api.POST('/platform/operators/invitations/{id}/mail', {
      params: { path: { id }, query: { organizationId } },
    }),
  );

export const revokeInvitation = ({ id, organizationId }: Invitation) =>
  answer(
    api.DELETE('/platform/operators/invitations/{id}', {
      params: { path: { id }, query: { organizationId } },
    }),
  );
