import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { fullNameOf, knownAs } from './names.js';
import type { User } from './queries.js';

interface DeleteDialogProps {
  readonly users: readonly User[];
  readonly onDelete: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** What goes with a user, and the address to confirm it: another user may bear the name. */
export default function DeleteDialog({ users, onDelete, onClose }: DeleteDialogProps): ReactNode {
  const [typed, setTyped] = useState('');
  const deleting = useMutation({ mutationFn: onDelete, onSuccess: onClose });
  const [user] = users;
  const isOne = users.length === 1;
  const who = isOne && user ? fullNameOf(user) : counted(users.length, 'user');
  const confirmation = isOne && user ? knownAs(user) : who;
  const isConfirmed = typed.trim() === confirmation;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isConfirmed) deleting.mutate();
  };
  return (
    <Dialog title={`Delete ${who}?`} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <div className="grid gap-3 text-[14px]">
            <p>These are removed at once, and nothing brings them back:</p>
            <ul className="list-disc space-y-1 pl-5">
              <li>
                {isOne ? 'the account' : 'the accounts'} with metadata, identities and second
                factors
              </li>
              <li>all sessions, API keys, passkeys and memberships in organizations</li>
              <li>
                the rows of your tables whose foreign key to the user says “on delete cascade”
              </li>
            </ul>
            <p className="text-soft">
              A table whose foreign key does not say so keeps the user from being deleted. To shut
              an account and keep it, ban the user.
            </p>
          </div>
          <ProblemNotice of={deleting.error} />
          <Field
            label={`Type this to confirm: ${confirmation}`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={!isConfirmed} busy={deleting.isPending}>
            Delete
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
