import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { CopyField } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';

interface ShownOnceProps {
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  /** What it is good for, and for how long. */
  readonly children: ReactNode;
  readonly buttons?: ReactNode;
  readonly onClose: () => void;
}

/** A secret that no other answer has: the dialog stays until its button says that it is saved. */
export function ShownOnce({
  title,
  label,
  secret,
  children,
  buttons,
  onClose,
}: ShownOnceProps): ReactNode {
  return (
    <Dialog title={title} mustConfirm onClose={onClose}>
      <DialogBody>
        <Notice kind="warning">Copy it now: it is not shown again.</Notice>
        <CopyField label={label} text={secret} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-[14px]">{children}</div>
      </DialogBody>
      <DialogButtons>
        {buttons}
        <Button look="primary" onClick={onClose}>
          I have saved it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
