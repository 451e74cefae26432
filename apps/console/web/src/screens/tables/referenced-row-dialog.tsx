import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { SchemaTable } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { CellValue } from './cell-value.js';
import { findRow } from './lookup.js';
import type { Viewer } from './requests.js';
import { type TablesSearch, whereOf } from './search.js';
import type { RowTexts } from './staging.js';

interface ReferencedRowDialogProps {
  readonly table: SchemaTable;
  readonly values: RowTexts;
  readonly viewer: Viewer;
  readonly onOpen: (search: TablesSearch) => void;
  readonly onClose: () => void;
}

/** The row that a foreign key means, at the side of the one that has it. */
export function ReferencedRowDialog(props: ReferencedRowDialogProps): ReactNode {
  const { table, values, viewer, onOpen, onClose } = props;
  const { ref } = useProject();
  const { data: row, error } = useQuery({
    queryKey: ['projects', ref, 'row', table.name, viewer ?? '', values],
    queryFn: async ({ signal }) => (await findRow({ ref, viewer, signal }, table, values)) ?? null,
  });
  const open = (): void => {
    const filters = Object.entries(values).map(([column, value]) => ({
      column,
      operator: 'eq' as const,
      value: value ?? '',
    }));
    onOpen({ table: table.name, where: whereOf(filters), as: viewer });
  };
  return (
    <Dialog
      title={`${table.name} ${Object.values(values).join(', ')}`}
      about="The row that this value means."
      place="side"
      onClose={onClose}
    >
      <DialogBody>
        <ProblemNotice of={error} />
        {row === undefined && !error && <Skeleton className="w-2/3" />}
        {row === null && (
          <p className="text-[14px] text-soft">
            The row does not exist, or the viewer does not see it.
          </p>
        )}
        {row && (
          <dl className="grid gap-3">
            {table.columns.map(({ name, type }) => (
              <div key={name}>
                <dt className="text-[12px] text-soft">
                  {name} · {type}
                </dt>
                <dd className="break-words">
                  <CellValue of={row[name] ?? null} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </DialogBody>
      <DialogButtons>
        <Button look="primary" onClick={open}>
          Open in {table.name}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
