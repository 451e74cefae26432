import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Dialog, DialogBody } from '../../ui/dialog.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { Notice } from '../../ui/notice.js';
import { type RoleChange, useOperatorActions } from './actions.js';
import { capabilitiesOf, type Grant, grantBody } from './capabilities.js';
import { GrantFields } from './grant-fields.js';
import { membershipsAt, nameOf, type Person, type Place } from './people.js';
import { Refusal } from './refusal.js';
import { RightsList } from './rights-list.js';
import { canGiveBack, type OperatorsWorld } from './world.js';

interface RoleDialogProps {
  readonly world: OperatorsWorld;
  readonly person: Person;
  readonly place: Place;
  readonly onClose: () => void;
}

/** What a person may do at a place and why, and the role there to change. */
export default function RoleDialog({ world, person, place, onClose }: RoleDialogProps): ReactNode {
  const { own: membership } = membershipsAt(person, place);
  const [grant, setGrant] = useState<Grant | undefined>(membership && grantOf(membership));
  const actions = useOperatorActions();
  const saving = useMutation({
    mutationFn: (change: RoleChange) => actions.setRole(change),
    onSuccess: onClose,
  });
  const placeName = world.placeName(place);
  const isSame = JSON.stringify(grant) === JSON.stringify(membership && grantOf(membership));
  const isWithoutAny = grant !== undefined && capabilitiesOf(grant).length === 0;
  const isSelf = person.id === world.selfId;
  const change: RoleChange = {
    person,
    place,
    placeName,
    membership,
    grant,
    canGiveBack: canGiveBack(world, person, place),
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isSame && !isWithoutAny) saving.mutate(change);
  };
  return (
    <Dialog title={`${nameOf(person)} on ${placeName}`} about={person.email} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <Refusal of={saving.error} />
          {person.status === 'disabled' && (
            <Notice kind="warning">
              The account is deactivated: none of this holds until it is active again.
            </Notice>
          )}
          <RightsList
            person={person}
            place={place}
            organizationName={world.organizationName(place.organizationId)}
          />
          <GrantFields
            label={place.ref === null ? 'Role in the organization' : 'Role on the project'}
            grant={grant}
            none="No role of its own"
            own={world.capabilitiesIn(place.organizationId)}
            onChange={setGrant}
          />
          {isWithoutAny && <Notice kind="plain">Tick at least one capability.</Notice>}
          {isSelf && !isSame && (
            <Notice kind="warning">
              These are your own rights. What you take from yourself, another operator has to give
              back.
            </Notice>
          )}
        </DialogBody>
        <RequestButtons
          request={requestOf(change)}
          what="this change"
          look={grant ? 'primary' : 'danger'}
          isReady={!isSame && !isWithoutAny}
          busy={saving.isPending}
          onCancel={onClose}
        >
          {grant ? 'Save' : 'Remove the role'}
        </RequestButtons>
      </form>
    </Dialog>
  );
}

/** A role without the list of a ready-made one, so that two grants compare. */
function grantOf({ role, capabilities }: Grant): Grant {
  return { role, capabilities: role === 'custom' ? capabilities : [] };
}

function requestOf({ person, place, membership, grant }: RoleChange) {
  const { organizationId, ref } = place;
  const base = `/platform/organizations/${organizationId}`;
  if (!membership) {
    const body = {
      operatorId: person.id,
      ...(ref !== null && { projectRef: ref }),
      ...grantBody(grant ?? { role: 'viewer', capabilities: [] }),
    };
    return { method: 'POST', path: `${base}/memberships`, body } as const;
  }
  const path = `${base}/members/${membership.id}`;
  return grant
    ? ({ method: 'PATCH', path, body: grantBody(grant) } as const)
    : ({ method: 'DELETE', path } as const);
}
