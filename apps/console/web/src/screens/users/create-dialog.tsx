import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Choice, Field, textsOf, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { showToast } from '../../ui/toast.js';
import { refreshUsers } from './actions.js';
import { nameOf } from './names.js';
import { randomPassword } from './password.js';
import { ShownOnce } from './shown-once.js';

interface CreateDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

/** An account, with a password that is shown this once or without one. */
export default function CreateDialog({ projectRef: ref, onClose }: CreateDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const [hasPassword, setHasPassword] = useState(true);
  const [password, setPassword] = useState(randomPassword);
  const creating = useMutation({
    mutationFn: async (body: {
      readonly email: string;
      readonly role: 'USER' | 'ADMIN';
      readonly emailVerified: boolean;
      readonly name?: string;
      readonly phoneNumber?: string;
      readonly password?: string;
    }) => {
      const { user } = await answer(projectApi(ref).POST('/api/admin/users', { body }));
      await refreshUsers(queryClient, ref);
      if (body.password !== undefined) return user;
      showToast({ kind: 'done', text: `${nameOf(user)} has an account.` });
      onClose();
      return undefined;
    },
  });
  if (creating.data)
    return (
      <ShownOnce
        title={`${nameOf(creating.data)} has an account`}
        label="Password"
        secret={password}
        onClose={onClose}
      >
        <p>The user signs in with {creating.data.email} and this password.</p>
      </ShownOnce>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const [name, phoneNumber] = [text('name').trim(), text('phoneNumber').trim()];
    creating.mutate({
      email: text('email').trim(),
      role: text('role') === 'ADMIN' ? 'ADMIN' : 'USER',
      emailVerified: text('emailVerified') === 'on',
      ...(name !== '' && { name }),
      ...(phoneNumber !== '' && { phoneNumber }),
      ...(hasPassword && { password }),
    });
  };
  return (
    <Dialog
      title="New user"
      about="The account is made even if people cannot sign up. No mail is sent."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={creating.error} />
          <Field
            label="Email address"
            name="email"
            type="email"
            required
            autoFocus
            autoComplete="off"
          />
          <Tick label="The address is verified" name="emailVerified" />
          <Field label="Name" name="name" maxLength={200} autoComplete="off" />
          <Field
            label="Phone number"
            name="phoneNumber"
            type="tel"
            placeholder="+15551234567"
            autoComplete="off"
          />
          <Choice label="Role" name="role" hint="Administrators manage the project by its API.">
            <option value="USER">User</option>
            <option value="ADMIN">Administrator</option>
          </Choice>
          <Tick
            label="With a password"
            hint="Without one, the user signs in by a link, a code or a provider."
            checked={hasPassword}
            onChange={(event) => setHasPassword(event.currentTarget.checked)}
          />
          {hasPassword && (
            <Field
              label="Password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              hint="Drawn at random; another one must fit the rules of the project."
              required
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </DialogBody>
        <RequestButtons
          request={{
            method: 'POST',
            path: projectPath(ref, '/api/admin/users'),
            body: { email: 'ada@example.org', name: 'Ada' },
          }}
          busy={creating.isPending}
          onCancel={onClose}
        >
          Create
        </RequestButtons>
      </form>
    </Dialog>
  );
}
