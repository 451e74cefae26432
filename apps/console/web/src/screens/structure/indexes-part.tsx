import { type ReactNode, useState } from 'react';

import { Choice, Field, Tick } from '../../ui/field.js';
import type { SchemaTable, TableDetails } from '../project/schema.js';
import type { Change } from './change.js';
import { ChangeDialog, ReviewDialog } from './change-dialog.js';
import { ColumnTicks } from './column-ticks.js';
import { ObjectList } from './object-list.js';
import { DropButton, NewButton } from './row-buttons.js';
import { createIndex, dropIndex, type IndexDraft } from './sql/keys-sql.js';
import { useMayChange, useTableDetails } from './use-structure.js';

const methods = ['btree', 'hash', 'gin', 'gist', 'brin'] as const;

/** The indexes of a table; those of keys belong to their keys. */
export function IndexesPart({ table }: { readonly table: SchemaTable }): ReactNode {
  const { data, error, refetch } = useTableDetails(table.name);
  const mayChange = useMayChange();
  const [isMaking, setMaking] = useState(false);
  const [dropping, setDropping] = useState<Change>();
  return (
    <>
      <ObjectList
        title="Indexes"
        empty="No index yet. An index makes requests fast that filter or sort by its columns."
        side={
          mayChange && table.kind !== 'view' && table.kind !== 'foreign' ? (
            <NewButton what="index" onClick={() => setMaking(true)} />
          ) : undefined
        }
        objects={data?.indexes.map((index) => ({
          name: index.name,
          marks: marksOf(index),
          code: index.definition,
          note: isOfKey(data, index.name) ? 'Belongs to its key; it goes with the key.' : undefined,
          actions: mayChange && !isOfKey(data, index.name) && (
            <DropButton
              name={index.name}
              onClick={() => setDropping(dropIndex(table, index.name))}
            />
          ),
        }))}
        error={error}
        onRetry={() => void refetch()}
      />
      {isMaking && <NewIndex table={table} onClose={() => setMaking(false)} />}
      {dropping && <ReviewDialog change={dropping} onClose={() => setDropping(undefined)} />}
    </>
  );
}

function marksOf({ isPrimary, isUnique, isValid }: TableDetails['indexes'][number]) {
  return [
    ...(isPrimary ? ['primary key'] : isUnique ? ['unique'] : []),
    ...(isValid ? [] : ['not valid: drop it and make it again']),
  ];
}

function isOfKey({ indexes, uniques }: TableDetails, name: string): boolean {
  return (
    indexes.some((index) => index.name === name && index.isPrimary) ||
    uniques.some((unique) => unique.name === name)
  );
}

function NewIndex({
  table,
  onClose,
}: {
  readonly table: SchemaTable;
  readonly onClose: () => void;
}): ReactNode {
  const [draft, setDraft] = useState<IndexDraft>({
    name: '',
    columns: [],
    expression: '',
    method: 'btree',
    isUnique: false,
    where: '',
  });
  const change = (fields: Partial<IndexDraft>): void => setDraft({ ...draft, ...fields });
  const isEmpty = draft.columns.length === 0 && draft.expression.trim() === '';
  return (
    <ChangeDialog
      title={`New index on ${table.name}`}
      problem={isEmpty ? 'Choose a column, or write an expression.' : undefined}
      change={createIndex(table, draft)}
      onClose={onClose}
    >
      <ColumnTicks
        label="Columns, in the order in which they are chosen"
        columns={table.columns.map(({ name }) => name)}
        chosen={draft.columns}
        onChange={(columns) => change({ columns })}
      />
      <Field
        label="Expression instead of columns"
        hint="For example lower(email). SQL as in create index."
        value={draft.expression}
        onChange={(event) => change({ expression: event.currentTarget.value })}
        spellCheck={false}
        className="font-mono"
      />
      <Choice
        label="Method"
        hint="btree fits almost everything; gin is for arrays, jsonb and full text."
        value={draft.method}
        onChange={({ currentTarget: { value } }) =>
          change({ method: methods.find((method) => method === value) ?? 'btree' })
        }
      >
        {methods.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </Choice>
      <Tick
        label="Unique"
        hint="No two rows may have the same values."
        checked={draft.isUnique}
        onChange={(event) => change({ isUnique: event.currentTarget.checked })}
      />
      <Field
        label="Condition"
        hint="Only rows for which it holds are in the index, for example deleted_at is null."
        value={draft.where}
        onChange={(event) => change({ where: event.currentTarget.value })}
        spellCheck={false}
        className="font-mono"
      />
      <Field
        label="Name"
        hint="PostgreSQL chooses one if it is empty."
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
      />
    </ChangeDialog>
  );
}
