import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { showToast } from '../../ui/toast.js';
import type { ProjectDetails } from '../project/project-details.js';
import { banUser, deleteUser, refreshUsers, useUserActions } from './actions.js';
import BanDialog from './ban-dialog.js';
import DeleteDialog from './delete-dialog.js';
import { ImpersonateDialog } from './impersonate-dialog.js';
import { LinkDialog } from './link-dialog.js';
import { fullNameOf } from './names.js';
import { PasswordDialog } from './password-dialog.js';
import type { User } from './queries.js';
import type { Task } from './user-entries.js';

interface TaskDialogProps {
  readonly project: ProjectDetails;
  readonly kind: Task;
  readonly user: User;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** The dialog of an action on one user. */
export default function TaskDialog({
  project,
  kind,
  user,
  onDeleted,
  onClose,
}: TaskDialogProps): ReactNode {
  const { ref } = project;
  const queryClient = useQueryClient();
  const actions = useUserActions(ref);
  const done = async (text: string, undo?: () => void): Promise<void> => {
    await refreshUsers(queryClient, ref);
    showToast({ kind: 'done', text, ...(undo && { undo: { label: 'Undo', run: undo } }) });
  };
  switch (kind) {
    case 'ban':
      return (
        <BanDialog
          users={[user]}
          onClose={onClose}
          onBan={async (ban) => {
            await banUser(ref, user.id, ban);
            await done(`${fullNameOf(user)} is banned.`, () => void actions.unban(user));
          }}
        />
      );
    case 'delete':
      return (
        <DeleteDialog
          users={[user]}
          onClose={onClose}
          onDelete={async () => {
            await deleteUser(ref, user.id);
            onDeleted();
            await done(`${fullNameOf(user)} is deleted.`);
          }}
        />
      );
    case 'password':
      return <PasswordDialog projectRef={ref} user={user} onClose={onClose} />;
    case 'link':
      return <LinkDialog projectRef={ref} user={user} onClose={onClose} />;
    case 'impersonate':
      return <ImpersonateDialog project={project} user={user} onClose={onClose} />;
  }
}
