import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Choice, Field } from '../../ui/field.js';
import type { SchemaTable } from '../project/schema.js';
import { ChangeDialog } from './change-dialog.js';
import { type Target, targetName, targetsIn } from './references.js';
import { addForeignKey, type ForeignKeyDraft } from './sql/keys-sql.js';
import { type KeyAction, keyActions } from './sql/table-draft.js';
import { useSchema } from './use-structure.js';

const emptyPair = { column: '', foreignColumn: '' };

/** A new foreign key of a table, of one column or several. */
export function ForeignKeyDrawer({
  table,
  onClose,
}: {
  readonly table: SchemaTable;
  readonly onClose: () => void;
}): ReactNode {
  const { data } = useSchema();
  const targets = data ? targetsIn(data) : [];
  const [draft, setDraft] = useState<ForeignKeyDraft>({
    name: '',
    pairs: [emptyPair],
    schema: 'public',
    table: '',
    onUpdate: 'no action',
    onDelete: 'no action',
  });
  const change = (fields: Partial<ForeignKeyDraft>): void => setDraft({ ...draft, ...fields });
  const target = targets.find((each) => each.schema === draft.schema && each.table === draft.table);
  const setTarget = (name: string): void => {
    const next = targets.find((each) => targetName(each) === name);
    if (!next) return;
    const [first = emptyPair] = draft.pairs;
    change({
      schema: next.schema,
      table: next.table,
      pairs: [{ ...first, foreignColumn: next.usual }],
    });
  };
  const columns = table.columns.map(({ name }) => name);
  return (
    <ChangeDialog
      title={`New foreign key of ${table.name}`}
      problem={problemOf(draft)}
      change={addForeignKey(table, draft)}
      onClose={onClose}
    >
      <Choice
        label="Refers to the table"
        value={target ? targetName(target) : ''}
        onChange={(event) => setTarget(event.currentTarget.value)}
      >
        <option value="" disabled>
          Choose a table
        </option>
        {targets.map((each) => (
          <option key={targetName(each)}>{targetName(each)}</option>
        ))}
      </Choice>
      {target && (
        <Pairs
          columns={columns}
          target={target}
          pairs={draft.pairs}
          onChange={(pairs) => change({ pairs })}
        />
      )}
      <ActionChoice
        label="When the row that is referred to is deleted"
        value={draft.onDelete}
        onChange={(onDelete) => change({ onDelete })}
      />
      <ActionChoice
        label="When its key is changed"
        value={draft.onUpdate}
        onChange={(onUpdate) => change({ onUpdate })}
      />
      <Field
        label="Name"
        hint="PostgreSQL chooses one if it is empty. Apps name it to choose between two keys."
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
      />
    </ChangeDialog>
  );
}

function problemOf({ table, pairs }: ForeignKeyDraft): string | undefined {
  if (table === '') return 'Choose the table that it refers to.';
  if (pairs.some(({ column, foreignColumn }) => column === '' || foreignColumn === ''))
    return 'Choose a column on both sides.';
  return undefined;
}

interface PairsProps {
  readonly columns: readonly string[];
  readonly target: Target;
  readonly pairs: ForeignKeyDraft['pairs'];
  readonly onChange: (pairs: ForeignKeyDraft['pairs']) => void;
}

function Pairs({ columns, target, pairs, onChange }: PairsProps): ReactNode {
  const set = (index: number, fields: Partial<(typeof pairs)[number]>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...fields } : pair)));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-semibold">Columns</legend>
      {pairs.map((pair, index) => (
        <div key={index} className="flex items-end gap-2">
          <div className="grid min-w-0 grow grid-cols-2 gap-2">
            <ColumnChoice
              label={`Column ${index + 1} of this table`}
              columns={columns}
              value={pair.column}
              onChange={(column) => set(index, { column })}
            />
            <ColumnChoice
              label={`Column ${index + 1} of ${target.table}`}
              columns={target.columns}
              value={pair.foreignColumn}
              onChange={(foreignColumn) => set(index, { foreignColumn })}
            />
          </div>
          {pairs.length > 1 && (
            <Button
              look="quiet"
              size="icon"
              aria-label={`Remove pair ${index + 1}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              <X aria-hidden className="size-4" />
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button size="small" look="quiet" onClick={() => onChange([...pairs, emptyPair])}>
          <Plus aria-hidden className="size-4" />
          Another column
        </Button>
      </div>
    </fieldset>
  );
}

interface ColumnChoiceProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly value: string;
  readonly onChange: (column: string) => void;
}

function ColumnChoice({ label, columns, value, onChange }: ColumnChoiceProps): ReactNode {
  return (
    <Choice
      label={label}
      isBare
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="" disabled>
        Choose
      </option>
      {columns.map((column) => (
        <option key={column}>{column}</option>
      ))}
    </Choice>
  );
}

const actionsInWords: Readonly<Record<KeyAction, string>> = {
  'no action': 'Refuse (no action)',
  restrict: 'Refuse at once (restrict)',
  cascade: 'Do the same here (cascade)',
  'set null': 'Set to null',
  'set default': 'Set to the default',
};

interface ActionChoiceProps {
  readonly label: string;
  readonly value: KeyAction;
  readonly onChange: (action: KeyAction) => void;
}

export function ActionChoice({ label, value, onChange }: ActionChoiceProps): ReactNode {
  return (
    <Choice
      label={label}
      value={value}
      onChange={(event) =>
        onChange(keyActions.find((each) => each === event.currentTarget.value) ?? 'no action')
      }
    >
      {keyActions.map((action) => (
        <option key={action} value={action}>
          {actionsInWords[action]}
        </option>
      ))}
    </Choice>
  );
}
