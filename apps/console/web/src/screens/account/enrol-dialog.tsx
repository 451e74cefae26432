import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, type ReactNode, useState } from 'react';

import type { Schemas } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { CopyField } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { BackupCodes } from './backup-codes.js';
import { PasswordDialog } from './password-dialog.js';
import { beginEnrolment, confirmEnrolment, useChange } from './queries.js';

/** Password, then the QR code and the backup codes, then a code that confirms that the app has the key. */
export function EnrolDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [enrolment, setEnrolment] = useState<Schemas['EnrolmentReply']>();
  if (enrolment) return <ConfirmDialog enrolment={enrolment} onClose={onClose} />;
  return (
    <PasswordDialog
      title="Set up the second factor"
      about="Step 1 of 2: confirm that it is you."
      action="Continue"
      run={beginEnrolment}
      onDone={setEnrolment}
      onClose={onClose}
    />
  );
}

interface ConfirmDialogProps {
  readonly enrolment: Schemas['EnrolmentReply'];
  readonly onClose: () => void;
}

function ConfirmDialog({ enrolment, onClose }: ConfirmDialogProps): ReactNode {
  const confirming = useChange(confirmEnrolment, () => {
    showToast({ kind: 'done', text: 'The second factor is on.' });
    onClose();
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    confirming.mutate(textsOf(event.currentTarget)('code'));
  };
  return (
    <Dialog
      title="Set up the second factor"
      about="Step 2 of 2: scan the code with an authenticator app, then type what it shows."
      mustConfirm
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <div className="justify-self-center rounded-lg bg-white p-3">
            <QRCodeSVG
              value={enrolment.totpURI}
              size={176}
              bgColor="#ffffff"
              fgColor="#000000"
              title="QR code for the authenticator app"
            />
          </div>
          <CopyField label="Or type this key into the app" text={enrolment.secret} />
          <BackupCodes codes={enrolment.backupCodes} />
          <ProblemNotice of={confirming.error} />
          <Field
            label="Authenticator code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            className="font-mono tracking-widest"
            required
          />
          <Tick name="saved" label="I have saved the backup codes" required />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={confirming.isPending}>
            Turn on
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
