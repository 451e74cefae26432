import { type ReactNode, useState } from 'react';

import { isStudio } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { EnrolDialog } from './enrol-dialog.js';
import { BackupCodesDialog, TurnOffDialog } from './second-factor-dialogs.js';
import { Section } from './section.js';

interface SecondFactorSectionProps {
  /** Undefined until it is known. */
  readonly isOn: boolean | undefined;
}

export function SecondFactorSection({ isOn }: SecondFactorSectionProps): ReactNode {
  const [open, setOpen] = useState<'enrol' | 'codes' | 'off'>();
  const close = (): void => setOpen(undefined);
  return (
    <Section
      title="Second factor"
      about="A code of an authenticator app besides the password, at each sign-in."
    >
      {isOn === undefined && (
        // As high as either answer.
        <div className="grid gap-3">
          <Notice kind="plain">
            <Skeleton className="w-48" />
          </Notice>
          <div className="h-9" />
        </div>
      )}
      {isOn === false && (
        <div className="grid gap-3">
          <Notice kind="warning">
            {isStudio()
              ? 'It is off: your password alone opens the project.'
              : 'It is off: your password alone opens every project that you may manage.'}
          </Notice>
          <Button look="primary" className="justify-self-start" onClick={() => setOpen('enrol')}>
            Set up the second factor
          </Button>
        </div>
      )}
      {isOn === true && (
        <div className="grid gap-3">
          <Notice kind="good">It is on.</Notice>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('codes')}>New backup codes</Button>
            <Button onClick={() => setOpen('off')}>Turn off</Button>
          </div>
        </div>
      )}
      {open === 'enrol' && <EnrolDialog onClose={close} />}
      {open === 'codes' && <BackupCodesDialog onClose={close} />}
      {open === 'off' && <TurnOffDialog onClose={close} />}
    </Section>
  );
}
