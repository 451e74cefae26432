import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { fullNameOf } from './names.js';
import { randomPassword } from './password.js';
import { refreshUsers } from './actions.js';
import type { User } from './queries.js';
import { ShownOnce } from './shown-once.js';

interface PasswordDialogProps {
  readonly projectRef: string;
  readonly user: User;
  readonly onClose: () => void;
}

/** Another password, which is shown this once. */
export function PasswordDialog({ projectRef: ref, user, onClose }: PasswordDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const [password, setPassword] = useState(randomPassword);
  const resetting = useMutation({
    mutationFn: async () => {
      const call = { params: { path: { id: user.id } }, body: { password } };
      await answer(projectApi(ref).POST('/api/admin/users/{id}/reset-password', call));
      await refreshUsers(queryClient, ref);
    },
  });
  const name = fullNameOf(user);
  if (resetting.isSuccess)
    return (
      <ShownOnce
        title={`${name} has a new password`}
        label="Password"
        secret={password}
        onClose={onClose}
      >
        <p>Every session of the user has ended. Hand the password over on a safe way.</p>
      </ShownOnce>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    resetting.mutate();
  };
  return (
    <Dialog
      title={`Reset the password of ${name}`}
      about="The user signs in with the new password. Every session ends, and a mail says that the password has changed."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={resetting.error} />
          <Field
            label="New password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            hint="Drawn at random; another one must fit the rules of the project."
            required
            autoFocus
            autoComplete="off"
            spellCheck={false}
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={resetting.isPending}>
            Reset the password
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
