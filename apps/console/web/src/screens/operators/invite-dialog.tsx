import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, api } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { showToast } from '../../ui/toast.js';
import { refreshOperators } from './actions.js';
import { capabilitiesOf, type Grant, grantBody } from './capabilities.js';
import { GrantFields } from './grant-fields.js';
import { InvitationLink } from './invitation-link.js';
import type { Place } from './people.js';
import { PlaceFields } from './place-fields.js';
import { Refusal } from './refusal.js';
import type { OperatorsWorld } from './world.js';

interface InviteDialogProps {
  readonly world: OperatorsWorld;
  /** The organization to begin with. */
  readonly organization: string | undefined;
  readonly onClose: () => void;
}

/** Invites a person by address. The link is mailed, or shown to administrators of the deployment. */
export default function InviteDialog({
  world,
  organization,
  onClose,
}: InviteDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const [first] = world.organizations;
  const isKnown = world.organizations.some(({ id }) => id === organization);
  const [place, setPlace] = useState<Place>({
    organizationId: (isKnown ? organization : first?.id) ?? '',
    ref: null,
  });
  const [grant, setGrant] = useState<Grant>({ role: 'viewer', capabilities: [] });
  const inviting = useMutation({
    mutationFn: (email: string) => {
      const { organizationId, ref } = place;
      const where = { organizationId, ...(ref !== null && { projectRef: ref }) };
      return answer(
        api.POST('/platform/operators/invitations', {
          body: { email, ...where, ...grantBody(grant) },
        }),
      );
    },
    async onSuccess(invitation) {
      await refreshOperators(queryClient);
      if (invitation.inviteUrl !== undefined) return;
      showToast({ kind: 'done', text: `The invitation to ${invitation.email} is on its way.` });
      onClose();
    },
  });
  const made = inviting.data;
  if (made?.inviteUrl !== undefined)
    return <InvitationLink invitation={made} url={made.inviteUrl} onClose={onClose} />;
  const isWithoutAny = capabilitiesOf(grant).length === 0;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isWithoutAny) inviting.mutate(textsOf(event.currentTarget)('email').trim());
  };
  return (
    <Dialog
      title="Invite an operator"
      about="The person accepts with a link that works for seven days, and has the role from then on."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <Refusal of={inviting.error} />
          <Field
            label="Email address"
            name="email"
            type="email"
            required
            autoFocus
            autoComplete="off"
          />
          <PlaceFields world={world} place={place} onChange={setPlace} />
          <GrantFields
            label="Role"
            grant={grant}
            own={world.capabilitiesIn(place.organizationId)}
            onChange={(next) => next && setGrant(next)}
          />
          {isWithoutAny && <Notice kind="plain">Tick at least one capability.</Notice>}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isWithoutAny} busy={inviting.isPending}>
            Invite
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
