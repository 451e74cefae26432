import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { CopyField } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import type { NewProject } from './queries.js';

interface CreatedDialogProps {
  readonly project: NewProject;
  readonly onClose: () => void;
}

/** The address of a new project, and its keys, which are shown this once. */
export function CreatedDialog({ project, onClose }: CreatedDialogProps): ReactNode {
  const { name, url, publishableKey, secretKey, databaseUrl } = project;
  const hasKeys = secretKey !== undefined;
  return (
    <Dialog
      title={`${name} is ready`}
      about="It takes requests at this address."
      mustConfirm={hasKeys}
      onClose={onClose}
    >
      <DialogBody>
        <CopyField label="URL" text={url} />
        {!hasKeys ? (
          <Notice kind="plain">
            The keys are shown to operators who may manage secrets. Ask one of them for a key.
          </Notice>
        ) : (
          <>
            <Notice kind="warning">
              Copy the keys now: they are not shown again. A lost key cannot be recovered; rotate
              the keys.
            </Notice>
            {publishableKey !== undefined && (
              <CopyField label="Publishable key, for apps" text={publishableKey} />
            )}
            <CopyField label="Secret key, for servers: it passes every policy" text={secretKey} />
            {databaseUrl !== undefined && (
              <CopyField label="Connection string of the database" text={databaseUrl} />
            )}
          </>
        )}
      </DialogBody>
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          {hasKeys ? 'I have saved the keys' : 'Done'}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
