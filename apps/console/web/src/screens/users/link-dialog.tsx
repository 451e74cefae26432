import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { exactTime } from '../../ui/time-in-words.js';
import { refreshUsers } from './actions.js';
import { fullNameOf } from './names.js';
import type { User } from './queries.js';
import { ShownOnce } from './shown-once.js';

type Link = ProjectSchemas['GeneratedLink'];

interface LinkDialogProps {
  readonly projectRef: string;
  readonly user: User;
  readonly onClose: () => void;
}

type Kind = Exclude<Link['properties']['verification_type'], 'signup'>;

const kinds = [
  ['magiclink', 'Magic link: signs the user in once'],
  ['recovery', 'Recovery code: lets the user choose another password'],
  ['invite', 'Invitation: for users who have not signed in yet'],
] as const;

/** What a mail would hold, to hand over on another way. */
export function LinkDialog({ projectRef: ref, user, onClose }: LinkDialogProps): ReactNode {
  const [type, setType] = useState<Kind>('magiclink');
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: async (redirectTo: string) => {
      const body = {
        type,
        email: user.email,
        flow: 'cookie' as const,
        ...(redirectTo !== '' && type !== 'recovery' && { redirectTo }),
      };
      const link = await answer(projectApi(ref).POST('/api/admin/users/generate-link', { body }));
      await refreshUsers(queryClient, ref);
      return link;
    },
  });
  if (making.data) return <MadeLink link={making.data} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    making.mutate(textsOf(event.currentTarget)('redirectTo'));
  };
  return (
    <Dialog
      title={`Generate a link for ${fullNameOf(user)}`}
      about="No mail is sent. The link opens the account of the user to anybody who has it."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={making.error} />
          <Choice
            label="Kind"
            value={type}
            onChange={({ currentTarget: { value } }) =>
              setType(kinds.find(([kind]) => kind === value)?.[0] ?? 'magiclink')
            }
            autoFocus
          >
            {kinds.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Choice>
          {type !== 'recovery' && <RedirectField />}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={making.isPending}>
            Generate
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Where a link leads after the sign-in. */
export function RedirectField(): ReactNode {
  return (
    <Field
      label="Leads to"
      name="redirectTo"
      type="url"
      placeholder="https://app.example.com/welcome"
      hint="One of the addresses in the settings; the site URL if it is left empty."
      autoComplete="off"
    />
  );
}

/** A link or a code that was made, which is shown this once. */
export function MadeLink({
  link: { user, properties },
  onClose,
}: {
  readonly link: Link;
  readonly onClose: () => void;
}): ReactNode {
  const { action_link: url, email_otp: code, expires_at: end } = properties;
  return (
    <ShownOnce
      title={url === null ? `The code for ${user.email}` : `The link for ${user.email}`}
      label={url === null ? 'Code' : 'Link'}
      secret={url ?? code ?? ''}
      onClose={onClose}
    >
      <p>It works once, until {exactTime(end)}.</p>
    </ShownOnce>
  );
}
