import { type ReactNode, useState } from 'react';

import { Field } from '../../ui/field.js';
import type { SchemaTable } from '../project/schema.js';
import type { Change } from './change.js';
import { ChangeDialog, ReviewDialog } from './change-dialog.js';
import { ObjectList } from './object-list.js';
import { DropButton, NewButton } from './row-buttons.js';
import { addCheck, dropConstraint } from './sql/keys-sql.js';
import { useMayChange, useTableDetails } from './use-structure.js';

/** Conditions that every row of a table meets. */
export function ChecksPart({ table }: { readonly table: SchemaTable }): ReactNode {
  const { data, error, refetch } = useTableDetails(table.name);
  const mayChange = useMayChange();
  const [isMaking, setMaking] = useState(false);
  const [dropping, setDropping] = useState<Change>();
  return (
    <>
      <ObjectList
        title="Checks"
        empty="No check yet. A check keeps rows out that break its condition, for example price > 0."
        side={mayChange && <NewButton what="check" onClick={() => setMaking(true)} />}
        objects={data?.checks.map(({ name, definition }) => ({
          name,
          code: definition,
          actions: mayChange && (
            <DropButton
              name={name}
              onClick={() => setDropping(dropConstraint(table, name, 'check'))}
            />
          ),
        }))}
        error={error}
        onRetry={() => void refetch()}
      />
      {isMaking && <NewCheck table={table} onClose={() => setMaking(false)} />}
      {dropping && <ReviewDialog change={dropping} onClose={() => setDropping(undefined)} />}
    </>
  );
}

function NewCheck({
  table,
  onClose,
}: {
  readonly table: SchemaTable;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [condition, setCondition] = useState('');
  return (
    <ChangeDialog
      title={`New check of ${table.name}`}
      problem={condition.trim() === '' ? 'Write the condition.' : undefined}
      change={addCheck(table, name, condition)}
      onClose={onClose}
    >
      <Field
        label="Condition"
        hint="SQL that is true for every row, for example price > 0. Rows that are there are checked too."
        value={condition}
        onChange={(event) => setCondition(event.currentTarget.value)}
        spellCheck={false}
        className="font-mono"
        autoFocus
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
