import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { refreshUsers } from './actions.js';
import { MadeLink, RedirectField } from './link-dialog.js';

const flow = 'cookie';

interface InviteDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

/** An account for an address, with an invitation by mail or a link to hand over. */
export default function InviteDialog({ projectRef: ref, onClose }: InviteDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const [way, setWay] = useState<'mail' | 'link'>('mail');
  const inviting = useMutation({
    mutationFn: async (order: { readonly email: string; readonly redirectTo?: string }) => {
      if (way === 'link') {
        const body = { ...order, flow, type: 'invite' } as const;
        return answer(projectApi(ref).POST('/api/admin/users/generate-link', { body }));
      }
      await answer(projectApi(ref).POST('/api/admin/users/invite', { body: { ...order, flow } }));
      showToast({ kind: 'done', text: `The invitation to ${order.email} is on its way.` });
      onClose();
      return undefined;
    },
    onSuccess: () => refreshUsers(queryClient, ref),
  });
  if (inviting.data) return <MadeLink link={inviting.data} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const redirectTo = text('redirectTo');
    inviting.mutate({ email: text('email').trim(), ...(redirectTo !== '' && { redirectTo }) });
  };
  return (
    <Dialog
      title="Invite a user"
      about="The account is made now; its link signs the user in and proves the address."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={inviting.error} />
          <Field
            label="Email address"
            name="email"
            type="email"
            required
            autoFocus
            autoComplete="off"
          />
          <Choice
            label="The invitation"
            value={way}
            onChange={(event) => setWay(event.currentTarget.value === 'link' ? 'link' : 'mail')}
          >
            <option value="mail">Send it by mail</option>
            <option value="link">Show me the link</option>
          </Choice>
          <RedirectField />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={inviting.isPending}>
            {way === 'mail' ? 'Send the invitation' : 'Make the link'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
