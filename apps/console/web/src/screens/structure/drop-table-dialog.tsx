import { type ReactNode, useState } from 'react';

import { Dialog, DialogBody } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { SchemaTable } from '../project/schema.js';
import { ReviewDialog } from './change-dialog.js';
import { isHeld } from './sql/losses.js';
import { dropTable } from './sql/table-sql.js';
import { CascadeTick } from './table-drawer.js';
import { useTableDetails } from './use-structure.js';

interface DropTableDialogProps {
  readonly table: SchemaTable;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Drops a table or view, after it is said what goes with it and its name is typed. */
export function DropTableDialog({ table, onClose, onDone }: DropTableDialogProps): ReactNode {
  const { data, error } = useTableDetails(table.name);
  const [isCascading, setCascading] = useState(false);
  if (!data) {
    return (
      <Dialog title={`Drop ${table.name}?`} place="wide" onClose={onClose}>
        <DialogBody>
          {error ? <ProblemNotice of={error} /> : <Skeleton className="w-64" />}
        </DialogBody>
      </Dialog>
    );
  }
  const { dependents } = data;
  return (
    <ReviewDialog
      change={dropTable(table, { dependents, isCascading })}
      options={
        isHeld(dependents) && <CascadeTick isChecked={isCascading} onChange={setCascading} />
      }
      onClose={onClose}
      onDone={() => {
        onClose();
        onDone?.();
      }}
    />
  );
}
