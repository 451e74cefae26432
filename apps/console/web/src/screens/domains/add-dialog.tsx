import type { FormEvent, ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { addDomain } from './queries.js';
import { useDomainChange } from './use-domain-change.js';

/** Claims a host name for the project. */
export function AddDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const adding = useDomainChange(addDomain, ({ unicode }) => {
    onClose();
    showToast({ kind: 'done', text: `${unicode} is claimed. Make its records next.` });
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    adding.mutate(textsOf(event.currentTarget)('domain').trim());
  };
  return (
    <Dialog
      title="Add a domain"
      about="The project answers there, beside its own host name, once the domain is verified."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <Field
            label="Host name"
            name="domain"
            placeholder="api.example.org"
            hint="Without scheme, port and path."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
          />
          <ProblemNotice of={adding.error} />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={adding.isPending}>
            Add
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
