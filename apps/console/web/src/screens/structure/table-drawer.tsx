import { Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Field, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import type { SchemaContent, SchemaTable } from '../project/schema.js';
import { ChangeDialog } from './change-dialog.js';
import { ColumnEditor } from './column-editor.js';
import { targetsIn } from './references.js';
import { areHeld } from './sql/losses.js';
import {
  type ColumnDraft,
  draftOf,
  newColumn,
  newTable,
  problemOf,
  type TableDraft,
} from './sql/table-draft.js';
import { changeTable, createTable } from './sql/table-sql.js';
import { typeNames } from './sql/types.js';
import { useSchema, useTableDetails } from './use-structure.js';

interface TableDrawerProps {
  /** The table to change; absent for a new one. */
  readonly table?: SchemaTable | undefined;
  readonly onClose: () => void;
  /** The name of the table after it is made or changed. */
  readonly onDone?: (name: string) => void;
}

/** Makes a table of the schema public, or changes one: its name, comment and columns. */
export function TableDrawer({ table, onClose, onDone }: TableDrawerProps): ReactNode {
  return table ? (
    <ChangeTable table={table} onClose={onClose} onDone={onDone} />
  ) : (
    <NewTable onClose={onClose} onDone={onDone} />
  );
}

type Done = ((name: string) => void) | undefined;

function NewTable({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: Done;
}): ReactNode {
  const [draft, setDraft] = useState(newTable);
  const name = draft.name.trim();
  return (
    <ChangeDialog
      title="New table"
      problem={problemOf(draft)}
      change={createTable('public', draft)}
      onClose={onClose}
      onDone={() => {
        onClose();
        onDone?.(name);
      }}
    >
      <TableFields draft={draft} onChange={setDraft} hasColumns isNew />
    </ChangeDialog>
  );
}

function ChangeTable({
  table,
  onClose,
  onDone,
}: {
  readonly table: SchemaTable;
  readonly onClose: () => void;
  readonly onDone: Done;
}): ReactNode {
  const { data: details, error } = useTableDetails(table.name);
  // The table as it was when the drawer was opened: what others change meanwhile is no change of this draft.
  const [before] = useState(table);
  const [draft, setDraft] = useState(() => draftOf(table));
  const [isCascading, setCascading] = useState(false);
  const dependents = details?.dependents ?? [];
  const dropped = draft.columns.flatMap(({ isDropped, before: column }) =>
    isDropped && column ? [column.name] : [],
  );
  const name = draft.name.trim();
  return (
    <ChangeDialog
      title={`Change ${before.name}`}
      problem={problemOf(draft)}
      isWaiting={dropped.length > 0 && !details && !error}
      change={changeTable(before, draft, { dependents, isCascading })}
      options={
        areHeld(dependents, dropped) && (
          <CascadeTick isChecked={isCascading} onChange={setCascading} />
        )
      }
      onClose={onClose}
      onDone={() => {
        onClose();
        onDone?.(name);
      }}
    >
      <ProblemNotice of={error} effect="What depends on the columns could not be read." />
      <TableFields
        draft={draft}
        onChange={setDraft}
        hasColumns={table.kind === 'table' || table.kind === 'partitioned'}
      />
    </ChangeDialog>
  );
}

interface CascadeTickProps {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** Whether what depends on something is dropped with it. */
export function CascadeTick({ isChecked, onChange }: CascadeTickProps): ReactNode {
  return (
    <Tick
      label="Drop what depends on it too"
      hint="Without this, PostgreSQL refuses the change."
      checked={isChecked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

interface TableFieldsProps {
  readonly draft: TableDraft;
  readonly onChange: (draft: TableDraft) => void;
  readonly hasColumns: boolean;
  readonly isNew?: boolean;
}

const noContent: SchemaContent = { tables: [], enums: [], functions: [] };

function TableFields({ draft, onChange, hasColumns, isNew }: TableFieldsProps): ReactNode {
  const { data: content = noContent } = useSchema();
  const typeListId = useId();
  const targets = targetsIn(content);
  const setColumn = (key: string, column: ColumnDraft | undefined): void =>
    onChange({
      ...draft,
      columns: draft.columns.flatMap((each) => (each.key !== key ? [each] : (column ?? []))),
    });
  return (
    <>
      <Field
        label="Name of the table"
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
        autoFocus
      />
      <Field
        label="Comment on the table"
        hint="Shown in the description of the API"
        value={draft.comment}
        onChange={(event) => onChange({ ...draft, comment: event.currentTarget.value })}
      />
      {hasColumns && (
        <>
          {isNew && (
            <Tick
              label="Row level security"
              hint="Always on: requests reach no row before a policy allows it."
              checked
              disabled
              readOnly
            />
          )}
          <datalist id={typeListId}>
            {typeNames(content.enums).map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <h3 className="text-[14px] font-semibold">Columns</h3>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {draft.columns.map((column) => (
              <ColumnEditor
                key={column.key}
                column={column}
                targets={targets}
                typeListId={typeListId}
                onChange={(next) => setColumn(column.key, next)}
                onRemove={() =>
                  setColumn(column.key, column.before && { ...column, isDropped: true })
                }
              />
            ))}
          </ul>
          <div>
            <Button
              size="small"
              onClick={() => onChange({ ...draft, columns: [...draft.columns, newColumn()] })}
            >
              <Plus aria-hidden className="size-4" />
              Add a column
            </Button>
          </div>
        </>
      )}
    </>
  );
}
