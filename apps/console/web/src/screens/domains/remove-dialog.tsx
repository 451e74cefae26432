import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { type Domain, removeDomain } from './queries.js';
import { useDomainChange } from './use-domain-change.js';

interface RemoveDialogProps {
  readonly domain: Domain;
  readonly onClose: () => void;
}

/** Gives a domain up. A domain that is served is typed to confirm it. */
export function RemoveDialog({ domain: claim, onClose }: RemoveDialogProps): ReactNode {
  const { domain, unicode, state } = claim;
  const [typed, setTyped] = useState('');
  const removing = useDomainChange(removeDomain, () => {
    onClose();
    showToast({ kind: 'done', text: `${unicode} is removed.` });
  });
  const isServed = state === 'verified';
  const isConfirmed = !isServed || [domain, unicode].includes(typed.trim());
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isConfirmed) removing.mutate(domain);
  };
  return (
    <Dialog title={`Remove ${unicode}?`} role="alertdialog" onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <p className="text-[14px]">
            {isServed
              ? 'Requests to it are no longer answered by this project, from the next one on. To add it again, it must be verified again, with another value.'
              : 'The claim goes. To add the domain again, its record needs another value.'}
          </p>
          {isServed && (
            <Field
              label={`Type this to confirm: ${unicode}`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              autoFocus
            />
          )}
          <ProblemNotice of={removing.error} />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={!isConfirmed} busy={removing.isPending}>
            Remove
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
