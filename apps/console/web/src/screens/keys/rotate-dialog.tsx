import { type ReactNode, useState } from 'react';

import { Choice } from '../../ui/field.js';
import { exactTime } from '../../ui/time-in-words.js';
import { useProject } from '../project/use-project.js';
import { KeyDialog } from './key-dialog.js';
import { type Key, type KeyKind, rotateKeys } from './queries.js';
import {
  defaultOverlap,
  effectOnSenders,
  effectOnUsers,
  endOfOldKeys,
  overlaps,
} from './rotation.js';

interface RotateDialogProps {
  readonly kind: KeyKind;
  /** The valid keys of the kind. */
  readonly old: readonly Key[];
  readonly onClose: () => void;
}

/** A new key in place of all others of its kind, with the time in which programs change over. */
export function RotateDialog({ kind, old, onClose }: RotateDialogProps): ReactNode {
  const { ref } = useProject();
  const [overlap, setOverlap] = useState<number>(defaultOverlap);
  // The keys from before: those of the list change as soon as the new one is made.
  const [before] = useState(old);
  const end = exactTime(new Date(Date.now() + overlap * 1000).toISOString());
  return (
    <KeyDialog
      label={`New ${kind} key`}
      title={`Rotate the ${kind} keys`}
      about="A new key takes the place of all others of this kind."
      action="Rotate"
      make={() => rotateKeys(ref, kind, overlap)}
      onClose={onClose}
    >
      <Choice
        label="The current keys end"
        value={overlap}
        onChange={({ currentTarget }) => setOverlap(Number(currentTarget.value))}
      >
        {overlaps.map(([seconds, name]) => (
          <option key={seconds} value={seconds}>
            {name}
          </option>
        ))}
      </Choice>
      <ul className="list-disc space-y-1 pl-5 text-[14px]" aria-label="What happens">
        <li>
          {endOfOldKeys(before, overlap, end)}{' '}
          {before.map(({ hint }) => (
            <code key={hint} className="mr-1.5 text-[13px] whitespace-nowrap">
              …{hint}
            </code>
          ))}
        </li>
        <li>{effectOnSenders(kind)}</li>
        <li>{effectOnUsers(kind)}</li>
      </ul>
    </KeyDialog>
  );
}
