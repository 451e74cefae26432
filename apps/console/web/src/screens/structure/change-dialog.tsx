import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { type Change, scriptOf } from './change.js';
import { Review } from './review.js';

interface ChangeDialogProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly place?: 'drawer' | 'wide' | 'side';
  /** What keeps the fields from being SQL, in words. */
  readonly problem: string | undefined;
  readonly change: Change;
  /** What the SQL depends on is still read. */
  readonly isWaiting?: boolean;
  /** What is left to choose beside the SQL. */
  readonly options?: ReactNode;
  /** Beside the buttons of the form. */
  readonly side?: ReactNode;
  readonly onClose: () => void;
  /** Called instead of `onClose` after the change. */
  readonly onDone?: (change: Change) => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form for a change of the structure, and behind it the SQL for review. Going back keeps the fields. */
export function ChangeDialog({
  title,
  about,
  place = 'drawer',
  problem,
  change,
  isWaiting = false,
  options,
  side,
  onClose,
  onDone,
  children,
}: ChangeDialogProps): ReactNode {
  const [step, setStep] = useState<'edit' | 'refused' | 'review'>('edit');
  const [firstScript] = useState(() => scriptOf(change));
  const [isLeaving, setLeaving] = useState(false);
  /** The first try to close a drawer that has changes warns; the second one closes it. */
  const leave = (): void => {
    // Escape in an editor of code closes its list of completions.
    if (document.activeElement?.shadowRoot) return;
    if (scriptOf(change) === firstScript || isLeaving) onClose();
    else setLeaving(true);
  };
  const warning = isLeaving && (
    <div className="px-5 pb-4">
      <Notice kind="warning">
        <p>The changes are not run yet. Close again to discard them.</p>
        <Button size="small" className="mt-2" onClick={() => setLeaving(false)}>
          Keep editing
        </Button>
      </Notice>
    </div>
  );
  const refusal =
    problem ?? (change.statements.length === 0 ? 'Nothing is changed yet.' : undefined);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setStep(refusal === undefined ? 'review' : 'refused');
  };
  if (step === 'review') {
    return (
      <Dialog title={change.title} place={place} onClose={leave}>
        {warning}
        <Review
          change={change}
          options={options}
          backLabel="Back"
          onBack={() => setStep('edit')}
          onDone={onDone ?? onClose}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={title} about={about} place={place} onClose={leave}>
      {warning}
      <form onSubmit={submit} className="flex grow flex-col" noValidate>
        <div className="grow">
          <DialogBody>{children}</DialogBody>
        </div>
        <DialogButtons>
          {step === 'refused' && refusal !== undefined && (
            <div className="w-full">
              <Notice kind="problem">{refusal}</Notice>
            </div>
          )}
          {side !== undefined && <span className="mr-auto">{side}</span>}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={isWaiting}>
            Review the SQL
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** A change without fields, for review. */
export function ReviewDialog({
  change,
  options,
  onClose,
  onDone,
}: Pick<ChangeDialogProps, 'change' | 'options' | 'onClose' | 'onDone'>): ReactNode {
  return (
    <Dialog title={`${change.title}?`} place="wide" onClose={onClose}>
      <Review
        change={change}
        options={options}
        backLabel="Cancel"
        onBack={onClose}
        onDone={onDone ?? onClose}
      />
    </Dialog>
  );
}
