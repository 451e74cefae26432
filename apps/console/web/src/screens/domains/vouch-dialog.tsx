import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { type Domain, vouchForDomain } from './queries.js';
import { useDomainChange } from './use-domain-change.js';

interface VouchDialogProps {
  readonly domain: Domain;
  readonly onClose: () => void;
}

/** Serves a domain without a record, on the word of an administrator of the deployment. */
export function VouchDialog({ domain: claim, onClose }: VouchDialogProps): ReactNode {
  const { domain, unicode } = claim;
  const vouching = useDomainChange(vouchForDomain, () => {
    onClose();
    showToast({ kind: 'done', text: `${unicode} is verified: the project is served there.` });
  });
  return (
    <Dialog
      title={`Vouch for ${unicode}?`}
      about="The project is served under the name without a TXT record."
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <p className="text-[14px]">
          Do this for names that have no public DNS, such as those of an intranet, and only if the
          name belongs to the owner of the project. No other project can prove the name afterwards.
        </p>
        <ProblemNotice of={vouching.error} />
      </DialogBody>
      <DialogButtons>
        <Button autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" busy={vouching.isPending} onClick={() => vouching.mutate(domain)}>
          Vouch
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
