import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { exactTime } from '../../ui/time-in-words.js';
import { showToast } from '../../ui/toast.js';
import type { ProjectDetails } from '../project/project-details.js';
import { refreshUsers } from './actions.js';
import { fullNameOf } from './names.js';
import type { User } from './queries.js';
import { ShownOnce } from './shown-once.js';

interface ImpersonateDialogProps {
  readonly project: ProjectDetails;
  readonly user: User;
  readonly onClose: () => void;
}

/** A session in the name of a user. Its token is shown this once; it ends here, or by itself. */
export function ImpersonateDialog({ project, user, onClose }: ImpersonateDialogProps): ReactNode {
  const { ref, url } = project;
  const queryClient = useQueryClient();
  const [minutes, setMinutes] = useState('15');
  const name = fullNameOf(user);
  const path = { id: user.id };
  const beginning = useMutation({
    mutationFn: async () => {
      const call = { params: { path }, body: { expiresInSeconds: Number(minutes) * 60 } };
      const begun = await answer(projectApi(ref).POST('/api/admin/users/{id}/impersonate', call));
      await refreshUsers(queryClient, ref);
      return begun.session;
    },
  });
  const ending = useMutation({
    mutationFn: async (sessionId: string) => {
      const params = { path: { ...path, sessionId } };
      await answer(
        projectApi(ref).DELETE('/api/admin/users/{id}/sessions/{sessionId}', { params }),
      );
      await refreshUsers(queryClient, ref);
    },
    onSuccess: () => {
      showToast({ kind: 'done', text: `The impersonation of ${name} has ended.` });
      onClose();
    },
  });
  const session = beginning.data;
  if (session)
    return (
      <ShownOnce
        title={`You act as ${name}`}
        label="Token of the session"
        secret={session.token}
        onClose={onClose}
        buttons={
          <Button busy={ending.isPending} onClick={() => ending.mutate(session.id)}>
            End it now
          </Button>
        }
      >
        <ProblemNotice of={ending.error} />
        <p>
          Requests with this token have the rights of the user until {exactTime(session.expiresAt)}.
          The session is among those of the user, where it can be ended at any time.
        </p>
        <Code
          label="With curl"
          text={`curl -s '${url}/api/auth/get-session' \\\n  -H 'authorization: Bearer ${session.token}'`}
        />
      </ShownOnce>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    beginning.mutate();
  };
  return (
    <Dialog
      title={`Impersonate ${name}?`}
      about="You see what the user sees, with a session of your own that is named as an impersonation."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={beginning.error} />
          <ul className="list-disc space-y-1 pl-5 text-[14px]">
            <li>Your name is in the audit log of the project, and on the session.</li>
            <li>Changes that you make count as changes of the user.</li>
            <li>It cannot change the password, the ways to sign in, or delete the account.</li>
          </ul>
          <Choice
            label="Ends after"
            value={minutes}
            onChange={(event) => setMinutes(event.currentTarget.value)}
            autoFocus
          >
            <option value="15">15 minutes</option>
            <option value="30">30 minutes</option>
            <option value="60">an hour</option>
          </Choice>
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={beginning.isPending}>
            Impersonate
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
