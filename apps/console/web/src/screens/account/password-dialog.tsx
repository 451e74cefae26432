import type { FormEvent, ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useChange } from './queries.js';

interface PasswordDialogProps<Output> {
  readonly title: string;
  readonly about: string;
  readonly action: string;
  readonly run: (password: string) => Promise<Output>;
  readonly onDone: (output: Output) => void;
  readonly onClose: () => void;
}

/** Asks for the password before a change of the second factor. */
export function PasswordDialog<Output>({
  title,
  about,
  action,
  run,
  onDone,
  onClose,
}: PasswordDialogProps<Output>): ReactNode {
  const running = useChange(run, onDone);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    running.mutate(textsOf(event.currentTarget)('password'));
  };
  return (
    <Dialog title={title} about={about} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={running.error} />
          <Field
            label="Your password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={running.isPending}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
