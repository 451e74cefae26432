import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { CellValue } from './cell-value.js';
import type { Conflict } from './save.js';
import { rebase, type RowTexts, without } from './staging.js';
import type { Staging } from './use-staging.js';

/** Rows that others have changed: both values side by side, and whose stay. */
export function ConflictDialog({ staging }: { readonly staging: Staging }): ReactNode {
  const { conflicts, change, closeConflicts } = staging;
  if (conflicts.length === 0) return null;
  const takeTheirs = (): void => {
    change((staged) => conflicts.reduce((left, { id }) => without(left, id), staged));
    closeConflicts();
  };
  const keepMine = (): void => {
    change((staged) =>
      conflicts.reduce(
        (left, { id, now }) => (now === null ? without(left, id) : rebase(left, id, now)),
        staged,
      ),
    );
    closeConflicts();
  };
  return (
    <Dialog
      title="Rows have changed since you read them"
      about="Nothing was saved. Choose whose values stay, then save again."
      place="wide"
      onClose={closeConflicts}
    >
      <DialogBody>
        {conflicts.map((conflict) => (
          <ConflictTable key={conflict.id} of={conflict} />
        ))}
      </DialogBody>
      <DialogButtons>
        <Button onClick={closeConflicts}>Back to my changes</Button>
        <Button onClick={takeTheirs}>Take their values</Button>
        <Button look="primary" onClick={keepMine}>
          Keep my values
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function ConflictTable({ of: { change, now } }: { readonly of: Conflict }): ReactNode {
  const { key, read } = change;
  const name = Object.values(key).join(', ');
  const mine: RowTexts | undefined = change.kind === 'update' ? change.values : undefined;
  const columns = Object.keys(mine ?? read).filter(
    (column) => mine || read[column] !== now?.[column],
  );
  return (
    <section className="grid gap-1.5">
      <h3 className="text-[14px] font-semibold break-words">
        Row {name}
        {now === null && ' does not exist any more'}
        {mine === undefined && now !== null && ', which you want to delete'}
      </h3>
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full text-left text-[13px]">
          <thead className="bg-sunken">
            <tr>
              {['Column', 'As you read it', 'Now', 'Yours'].map((head) => (
                <th key={head} scope="col" className="px-3 py-1.5 font-semibold">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column} className="border-t border-line">
                <th scope="row" className="px-3 py-1.5 font-medium">
                  {column}
                </th>
                <td className="px-3 py-1.5 break-words">
                  <CellValue of={read[column] ?? null} />
                </td>
                <td
                  className={`px-3 py-1.5 break-words ${isOther(read, now, column) ? 'bg-warn-soft' : ''}`}
                >
                  {now === null ? '—' : <CellValue of={now[column] ?? null} />}
                </td>
                <td className="px-3 py-1.5 break-words">
                  {mine ? <CellValue of={mine[column] ?? null} /> : 'deleted'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const isOther = (read: RowTexts, now: RowTexts | null, column: string): boolean =>
  now !== null && read[column] !== now[column];
