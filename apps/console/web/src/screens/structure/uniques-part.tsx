import { type ReactNode, useState } from 'react';

import { nameList } from '../../sql/quote.js';
import { Field } from '../../ui/field.js';
import type { SchemaTable } from '../project/schema.js';
import type { Change } from './change.js';
import { ChangeDialog, ReviewDialog } from './change-dialog.js';
import { ColumnTicks } from './column-ticks.js';
import { ObjectList } from './object-list.js';
import { DropButton, NewButton } from './row-buttons.js';
import { addPrimaryKey, addUnique, dropConstraint } from './sql/keys-sql.js';
import { useMayChange, useTableDetails } from './use-structure.js';

/** The primary key and the unique constraints of a table. */
export function UniquesPart({ table }: { readonly table: SchemaTable }): ReactNode {
  const { data, error, refetch } = useTableDetails(table.name);
  const mayChange = useMayChange();
  const [making, setMaking] = useState<'primary key' | 'unique constraint'>();
  const [dropping, setDropping] = useState<Change>();
  const primary = data?.indexes.find(({ isPrimary }) => isPrimary)?.name;
  const drop = (name: string, what: string): ReactNode =>
    mayChange && (
      <DropButton name={name} onClick={() => setDropping(dropConstraint(table, name, what))} />
    );
  return (
    <>
      <ObjectList
        title="Primary key"
        empty="No primary key. With one, apps can name a single row, and changes are captured without the whole row."
        side={
          mayChange && data !== undefined && primary === undefined ? (
            <NewButton what="primary key" onClick={() => setMaking('primary key')} />
          ) : undefined
        }
        objects={
          data && primary === undefined
            ? []
            : data && [
                {
                  name: primary ?? '',
                  code: `PRIMARY KEY (${nameList(table.primaryKey)})`,
                  actions: drop(primary ?? '', 'primary key'),
                },
              ]
        }
        error={error}
        onRetry={() => void refetch()}
      />
      <ObjectList
        title="Unique constraints"
        empty="No unique constraint yet. It keeps two rows from having the same values, for example the same email."
        side={
          mayChange && (
            <NewButton what="unique constraint" onClick={() => setMaking('unique constraint')} />
          )
        }
        objects={data?.uniques.map(({ name, definition }) => ({
          name,
          code: definition,
          actions: drop(name, 'unique constraint'),
        }))}
        error={null}
        onRetry={() => void refetch()}
      />
      {making && <NewKey table={table} what={making} onClose={() => setMaking(undefined)} />}
      {dropping && <ReviewDialog change={dropping} onClose={() => setDropping(undefined)} />}
    </>
  );
}

function NewKey({
  table,
  what,
  onClose,
}: {
  readonly table: SchemaTable;
  readonly what: 'primary key' | 'unique constraint';
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [columns, setColumns] = useState<readonly string[]>([]);
  const add = what === 'primary key' ? addPrimaryKey : addUnique;
  return (
    <ChangeDialog
      title={`New ${what} of ${table.name}`}
      problem={columns.length === 0 ? 'Choose a column.' : undefined}
      change={add(table, name, columns)}
      onClose={onClose}
    >
      <ColumnTicks
        label="Columns whose values together are unique"
        columns={table.columns.map((column) => column.name)}
        chosen={columns}
        onChange={setColumns}
      />
      <Field
        label="Name"
        hint="PostgreSQL chooses one if it is empty. Apps see it in errors."
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        spellCheck={false}
        autoComplete="off"
      />
    </ChangeDialog>
  );
}
