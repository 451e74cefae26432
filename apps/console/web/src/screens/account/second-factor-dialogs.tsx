import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { showToast } from '../../ui/toast.js';
import { BackupCodes } from './backup-codes.js';
import { PasswordDialog } from './password-dialog.js';
import { replaceBackupCodes, turnSecondFactorOff } from './queries.js';

export function BackupCodesDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes === undefined) {
    return (
      <PasswordDialog
        title="New backup codes"
        about="The codes that you have now stop working."
        action="Make new codes"
        run={replaceBackupCodes}
        onDone={({ backupCodes }) => setCodes(backupCodes)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title="New backup codes" mustConfirm onClose={onClose}>
      <DialogBody>
        <BackupCodes codes={codes} />
      </DialogBody>
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          I have saved the codes
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

export function TurnOffDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <PasswordDialog
      title="Turn the second factor off"
      about="From then on your password alone is enough to sign in, and no device is trusted any more."
      action="Turn off"
      run={turnSecondFactorOff}
      onDone={() => {
        showToast({ kind: 'done', text: 'The second factor is off.' });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
