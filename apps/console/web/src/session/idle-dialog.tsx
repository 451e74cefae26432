import type { ReactNode } from 'react';

import { Button } from '../ui/button.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { idleMinutes, noteUse, warningMinutes } from './idle.js';

/** Warns before a session ends that is not used. To close it keeps the session. */
export default function IdleDialog(): ReactNode {
  return (
    <Dialog
      role="alertdialog"
      title={`You will be signed out in ${warningMinutes} minutes.`}
      about={`There was no activity for ${idleMinutes - warningMinutes} minutes.`}
      onClose={noteUse}
    >
      <DialogButtons>
        <Button look="primary" autoFocus onClick={noteUse}>
          Stay signed in
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
