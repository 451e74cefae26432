import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, api } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, Tick } from '../../ui/field.js';
import { showToast } from '../../ui/toast.js';
import { ShownOnce } from '../users/shown-once.js';
import { refreshOperators } from './actions.js';
import { nameOf, type Person } from './people.js';
import type { Task } from './person-entries.js';
import { Refusal } from './refusal.js';

interface TaskDialogProps {
  readonly kind: Task;
  readonly person: Person;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** The dialog of an action on an account. */
export default function TaskDialog(props: TaskDialogProps): ReactNode {
  switch (props.kind) {
    case 'reset':
      return <ResetDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
  }
}

function ResetDialog({ person, onClose }: TaskDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const [removesFactor, setRemovesFactor] = useState(false);
  const name = nameOf(person);
  const resetting = useMutation({
    mutationFn: () => {
      const body = { removeSecondFactor: removesFactor };
      const params = { path: { id: person.id } };
      return answer(api.POST('/platform/operators/{id}/reset', { params, body }));
    },
    onSuccess: () => refreshOperators(queryClient),
  });
  if (resetting.data)
    return (
      <ShownOnce
        title={`New password of ${name}`}
        label="Password"
        secret={resetting.data.generatedPassword}
        onClose={onClose}
      >
        <p>It is good for one sign-in, at which {name} chooses another one.</p>
      </ShownOnce>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    resetting.mutate();
  };
  return (
    <Dialog
      title={`Reset the sign-in of ${name}?`}
      about={person.email}
      role="alertdialog"
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <Refusal of={resetting.error} />
          <ul className="list-disc space-y-1 pl-5 text-[14px]">
            <li>Another password is shown to you once; the old one ends.</li>
            <li>All sessions end, and no device is trusted any more.</li>
            <li>If the account is locked after failed sign-ins, it is open again.</li>
          </ul>
          {person.twoFactorEnabled && (
            <Tick
              label="Remove the second factor too"
              hint="For an operator who has lost the authenticator and the backup codes. Make sure that it is really this person who asks."
              checked={removesFactor}
              onChange={(event) => setRemovesFactor(event.currentTarget.checked)}
            />
          )}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={resetting.isPending}>
            Reset
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ person, onDeleted, onClose }: TaskDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const { email } = person;
  const deleting = useMutation({
    mutationFn: () =>
      answer(api.DELETE('/platform/operators/{id}', { params: { path: { id: person.id } } })),
    async onSuccess() {
      onDeleted();
      await refreshOperators(queryClient);
      showToast({ kind: 'done', text: `${nameOf(person)} is deleted.` });
      onClose();
    },
  });
  const isConfirmed = typed.trim() === email;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isConfirmed) deleting.mutate();
  };
  return (
    <Dialog title={`Delete ${nameOf(person)}?`} role="alertdialog" onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <div className="grid gap-3 text-[14px]">
            <p>These are removed at once, and nothing brings them back:</p>
            <ul className="list-disc space-y-1 pl-5">
              <li>the account with its password and second factor</li>
              <li>all roles in organizations and on projects, and all sessions</li>
            </ul>
            <p className="text-soft">
              Projects stay, and so do the entries of the operator in the audit log. To shut an
              account and keep its roles, deactivate it.
            </p>
          </div>
          <Refusal of={deleting.error} />
          <Field
            label={`Type this to confirm: ${email}`}
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
