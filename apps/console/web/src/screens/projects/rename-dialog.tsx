import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { projectPath } from '../../api/place.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { renameProject } from './actions.js';
import type { Project } from './queries.js';

interface RenameDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Another name for a project. */
export default function RenameDialog({ project, onClose }: RenameDialogProps): ReactNode {
  const queryClient = useQueryClient();
  // A name that another operator gives meanwhile does not change what is typed.
  const [before] = useState(project);
  const [typed, setTyped] = useState(before.name);
  const name = typed.trim();
  const renaming = useMutation({
    mutationFn: () => renameProject(queryClient, before, name),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!renaming.isPending) renaming.mutate();
  };
  return (
    <Dialog
      title={`Rename ${before.name}`}
      about="Its ref, its addresses and its keys stay."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={renaming.error} effect="The name stays." />
          <Field
            label="Name"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={80}
            required
            autoFocus
            autoComplete="off"
          />
        </DialogBody>
        <RequestButtons
          request={{ method: 'PATCH', path: projectPath(before.ref), body: { name } }}
          isReady={name !== '' && name !== before.name}
          busy={renaming.isPending}
          onCancel={onClose}
        >
          Rename
        </RequestButtons>
      </form>
    </Dialog>
  );
}
