import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { typedFolder } from './names.js';

interface NewFolderDialogProps {
  /** Ends with a slash. */
  readonly onName: (folder: string) => void;
  readonly onClose: () => void;
}

/** Opens a folder that is there with its first file. */
export function NewFolderDialog({ onName, onClose }: NewFolderDialogProps): ReactNode {
  const [typed, setTyped] = useState('');
  const folder = typedFolder(typed);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (folder === '') return;
    onClose();
    onName(folder);
  };
  return (
    <Dialog
      title="New folder"
      about="A folder is the beginning of the keys of files. It exists as long as a file is in it, so the next step is an upload."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <Field
            label="Name"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            placeholder="2026/invoices"
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={folder === ''}>
            Open the folder
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
