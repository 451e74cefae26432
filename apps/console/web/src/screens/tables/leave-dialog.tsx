import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogButtons } from '../../ui/dialog.js';

/** Keeps the page while changes are staged, and asks before another table or screen is opened. */
export function LeaveDialog({ count }: { readonly count: number }): ReactNode {
  const { status, proceed, reset } = useBlocker({
    disabled: count === 0,
    enableBeforeUnload: () => count > 0,
    withResolver: true,
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname || tableIn(current.search) !== tableIn(next.search),
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      title="Leave without saving?"
      about={`${counted(count, 'change')} would be lost.`}
      role="alertdialog"
      onClose={reset}
    >
      <DialogButtons>
        <Button onClick={reset}>Stay</Button>
        <Button look="danger" onClick={proceed}>
          Discard and leave
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function tableIn(search: unknown): unknown {
  return typeof search === 'object' && search !== null && 'table' in search
    ? search.table
    : undefined;
}
