import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { rotateSigningKey, type SigningKeys, signingKeysQuery } from './queries.js';
import { effectOnTokens } from './rotation.js';

interface SigningRotationDialogProps {
  readonly keys: SigningKeys;
  readonly onClose: () => void;
}

/** A new signing key, and how long tokens of the one before verify. */
export function SigningRotationDialog({
  keys: { graceDays: usual, tokenSeconds },
  onClose,
}: SigningRotationDialogProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const [graceDays, setGraceDays] = useState(usual);
  const rotating = useMutation({
    mutationFn: () => rotateSigningKey(ref, graceDays),
    onSuccess: async ({ keyId }) => {
      await queryClient.invalidateQueries({ queryKey: signingKeysQuery(ref).queryKey });
      onClose();
      showToast({ kind: 'done', text: `Tokens are signed with ${keyId} from now on.` });
    },
  });
  const choices = [...new Set([0, 1, 7, usual])].sort((one, other) => one - other);
  return (
    <Dialog
      title="Rotate the signing key"
      about="Tokens are signed with a new key from now on."
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <Choice
          label="Publish the current key for"
          value={graceDays}
          onChange={({ currentTarget }) => setGraceDays(Number(currentTarget.value))}
        >
          {choices.map((days) => (
            <option key={days} value={days}>
              {days === 0 ? 'No longer' : counted(days, 'more day')}
              {days === usual ? ' (as the settings say)' : ''}
            </option>
          ))}
        </Choice>
        <ul className="list-disc space-y-1 pl-5 text-[14px]" aria-label="What happens">
          <li>{effectOnTokens(graceDays, tokenSeconds)}</li>
          <li>No user is signed out: sessions do not depend on this key.</li>
          <li>
            Verifiers that keep the public keys for a while refuse new tokens until they fetch the
            keys again.
          </li>
        </ul>
        <ProblemNotice of={rotating.error} />
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={rotating.isPending} onClick={() => rotating.mutate()}>
          Rotate
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
