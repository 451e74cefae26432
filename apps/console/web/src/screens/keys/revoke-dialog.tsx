import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { type Key, liveKeysQuery, revokeKey } from './queries.js';
import { effectOnUsers } from './rotation.js';

interface RevokeDialogProps {
  readonly revoked: Key;
  readonly onClose: () => void;
}

/** Ends a key at once; nothing brings it back. */
export function RevokeDialog({
  revoked: { id, kind, hint, createdAt },
  onClose,
}: RevokeDialogProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeKey(ref, id),
    onSuccess: () => {
      onClose();
      showToast({ kind: 'done', text: `The ${kind} key …${hint} is revoked.` });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: liveKeysQuery(ref).queryKey }),
  });
  return (
    <Dialog title={`Revoke the ${kind} key …${hint}?`} role="alertdialog" onClose={onClose}>
      <DialogBody>
        <div className="grid gap-2 text-[14px]">
          <p>
            It was made <Time at={createdAt} />. Programs that send it get 401 from now on, and
            nothing brings the key back.
          </p>
          <p className="text-soft">{effectOnUsers(kind)}</p>
        </div>
        <ProblemNotice of={revoking.error} />
      </DialogBody>
      <DialogButtons>
        <Button autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" busy={revoking.isPending} onClick={() => revoking.mutate()}>
          Revoke
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
