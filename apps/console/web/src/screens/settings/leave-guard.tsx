import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { currentToken } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';

/** Asks before changes that are not saved are lost. The end of the session asks nothing. */
export function LeaveGuard({ changes }: { readonly changes: number }): ReactNode {
  const isDirty = changes > 0;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && currentToken() !== undefined,
    enableBeforeUnload: () => isDirty && currentToken() !== undefined,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title="Leave without saving?" role="alertdialog" onClose={reset}>
      <DialogBody>
        <p className="text-[14px]">{counted(changes, 'change')} would be lost.</p>
      </DialogBody>
      <DialogButtons>
        <Button onClick={reset}>Stay</Button>
        <Button look="danger" onClick={proceed}>
          Leave
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
