import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import type { SchemaTable } from '../project/schema.js';
import { reviewSql } from './review-sql.js';
import type { Staging } from './use-staging.js';

interface ReviewBarProps {
  readonly table: SchemaTable;
  readonly staging: Staging;
}

/** How many changes are staged, and what happens to them. */
export function ReviewBar({ table, staging }: ReviewBarProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { staged, save, discard, isSaving, error, refusedId } = staging;
  if (staged.size === 0) return null;
  return (
    <section
      aria-label="Staged changes"
      className="sticky bottom-3 z-10 grid gap-2 rounded-lg border border-warn bg-surface p-2.5 shadow-float"
    >
      {error !== null && error !== undefined && (
        <ProblemNotice
          of={error}
          effect={`Nothing was saved.${refusedId === undefined ? '' : ` Refused: ${rowInWords(refusedId)}.`}`}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto px-1 text-[14px] font-semibold">
          {counted(staged.size, 'change')} not saved
        </p>
        <Button look="quiet" onClick={discard}>
          Discard
        </Button>
        <Button onClick={() => setOpen(true)}>Review SQL</Button>
        <Button look="primary" busy={isSaving} title="Ctrl-S" onClick={save}>
          Save
        </Button>
      </div>
      {isOpen && (
        <Dialog
          title="Review the changes"
          about="Save makes all of them in one transaction, and none if a row has changed since it was read."
          place="wide"
          onClose={() => setOpen(false)}
        >
          <DialogBody>
            <Code label="SQL" text={reviewSql(table, staged)} />
          </DialogBody>
          <DialogButtons>
            <Button onClick={() => setOpen(false)}>Close</Button>
            <Button
              look="primary"
              onClick={() => {
                setOpen(false);
                save();
              }}
            >
              Save
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </section>
  );
}

/** A row by its primary key, or its number among the new ones. */
function rowInWords(id: string): string {
  if (id.startsWith('new:')) return `the new row ${id.slice('new:'.length)}`;
  const key: unknown = JSON.parse(id.slice('row:'.length));
  return `the row ${Array.isArray(key) ? key.join(', ') : ''}`;
}
