import type { ReactNode } from 'react';

import { useProject } from '../project/use-project.js';
import { KeyDialog } from './key-dialog.js';
import { type KeyKind, makeKey } from './queries.js';

interface NewKeyDialogProps {
  readonly kind: KeyKind;
  readonly onClose: () => void;
}

/** One more key, for one more program. */
export function NewKeyDialog({ kind, onClose }: NewKeyDialogProps): ReactNode {
  const { ref } = useProject();
  return (
    <KeyDialog
      label={`New ${kind} key`}
      title={`New ${kind} key`}
      action="Make the key"
      make={() => makeKey(ref, kind)}
      onClose={onClose}
    >
      <div className="grid gap-2 text-[14px]">
        <p>The key is added, and the others stay. It has no end until you revoke or rotate it.</p>
        <p className="text-soft">
          Give each program a key of its own: then one key can be replaced without the others. The
          last characters are the name of a key: note them where the key is used.
        </p>
      </div>
    </KeyDialog>
  );
}
