import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import type { Loss } from './destructive.js';

interface LossDialogProps {
  readonly losses: readonly Loss[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** What a text takes away, and the word to go on. */
export function LossDialog({ losses, onConfirm, onClose }: LossDialogProps): ReactNode {
  const [typed, setTyped] = useState('');
  const word = losses[0]?.word ?? '';
  const isConfirmed = typed.trim().toLowerCase() === word;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isConfirmed) onConfirm();
  };
  return (
    <Dialog
      title="This cannot be undone"
      about="No backup is made. Check the statements before they run."
      role="alertdialog"
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {losses.slice(0, 5).map((loss, index) => (
              <li key={index} className="grid grid-cols-[minmax(0,1fr)] gap-1">
                <span className="text-[14px]">
                  Statement {losses.length > 1 && index + 1} {loss.why}:
                </span>
                <code className="line-clamp-3 rounded-md bg-sunken px-2 py-1 text-[13px] break-words whitespace-pre-wrap">
                  {loss.sql}
                </code>
              </li>
            ))}
          </ul>
          {losses.length > 5 && <p className="text-[14px]">And {losses.length - 5} more.</p>}
          <Field
            label={`Type ${word} to run it`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Keep everything</Button>
          <Button type="submit" look="danger" disabled={!isConfirmed}>
            Run it
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
