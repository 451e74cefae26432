import { ChevronDown, ChevronRight, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Choice, Field, Tick } from '../../ui/field.js';
import { ReferenceFields } from './reference-fields.js';
import type { Target } from './references.js';
import type { ColumnDraft, Identity } from './sql/table-draft.js';

interface ColumnEditorProps {
  readonly column: ColumnDraft;
  readonly targets: readonly Target[];
  /** The id of the list of types. */
  readonly typeListId: string;
  readonly onChange: (column: ColumnDraft) => void;
  /** Takes a new column away, or marks an existing column as dropped. */
  readonly onRemove: () => void;
}

/** The fields of one column. */
export function ColumnEditor(props: ColumnEditorProps): ReactNode {
  const { column, typeListId, onChange, onRemove } = props;
  const [isOpen, setOpen] = useState(false);
  const { before, name, isDropped } = column;
  const label = name.trim() === '' ? 'a new column' : name;
  if (isDropped) return <DroppedColumn column={column} onChange={onChange} />;
  const set = (fields: Partial<ColumnDraft>): void => onChange({ ...column, ...fields });
  const isGenerated = before?.isGenerated === true;
  return (
    <li className="grid gap-3 rounded-md border border-line p-3">
      <fieldset className="grid gap-3">
        <legend className="sr-only">Column {label}</legend>
        <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
          <Field
            label="Name"
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            spellCheck={false}
            autoComplete="off"
          />
          <Field
            label="Type"
            list={typeListId}
            value={column.type}
            onChange={(event) => set({ type: event.currentTarget.value })}
            spellCheck={false}
            autoComplete="off"
            disabled={isGenerated}
            className="font-mono text-[13px]"
          />
          <span className="flex self-end">
            <Button
              look="quiet"
              size="icon"
              aria-label={before ? `Drop the column ${label}` : `Remove ${label}`}
              title={before ? 'Drop' : 'Remove'}
              onClick={onRemove}
            >
              <Trash2 aria-hidden className="size-4" />
            </Button>
          </span>
        </div>
        {isGenerated ? (
          <p className="text-[13px] break-words text-soft">
            Generated from <code>{before.default}</code>
          </p>
        ) : (
          <Field
            label="Default"
            hint="An expression of SQL, for example now() or 'new'"
            value={column.identity === null ? column.default : ''}
            onChange={(event) => set({ default: event.currentTarget.value })}
            disabled={column.identity !== null}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-[13px]"
          />
        )}
        <Ticks {...props} />
        <div>
          <Button size="small" look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? (
              <ChevronDown aria-hidden className="size-4" />
            ) : (
              <ChevronRight aria-hidden className="size-4" />
            )}
            {before ? 'Identity and comment' : 'Foreign key, identity and comment'}
            <span className="sr-only"> of {label}</span>
          </Button>
        </div>
        {isOpen && <More {...props} />}
      </fieldset>
    </li>
  );
}

function Ticks({ column, onChange }: ColumnEditorProps): ReactNode {
  const { before, isPrimary, identity } = column;
  const set = (fields: Partial<ColumnDraft>): void => onChange({ ...column, ...fields });
  if (before?.isGenerated) return null;
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-2">
      <Tick
        label="May be null"
        checked={column.isNullable && !isPrimary && identity === null}
        disabled={isPrimary || identity !== null}
        onChange={(event) => set({ isNullable: event.currentTarget.checked })}
      />
      {!before && (
        <>
          <Tick
            label="Primary key"
            checked={isPrimary}
            onChange={(event) => set({ isPrimary: event.currentTarget.checked })}
          />
          <Tick
            label="Unique"
            checked={column.isUnique}
            onChange={(event) => set({ isUnique: event.currentTarget.checked })}
          />
        </>
      )}
      {before && isPrimary && <span className="text-[13px] text-soft">In the primary key</span>}
    </div>
  );
}

const identities: readonly { readonly value: string; readonly identity: Identity }[] = [
  { value: '', identity: null },
  { value: 'always', identity: 'always' },
  { value: 'by default', identity: 'by default' },
];

function More({ column, targets, onChange }: ColumnEditorProps): ReactNode {
  const set = (fields: Partial<ColumnDraft>): void => onChange({ ...column, ...fields });
  return (
    <div className="grid gap-3 border-l-2 border-line pl-3">
      {!column.before && (
        <ReferenceFields
          reference={column.reference}
          targets={targets}
          onChange={(reference) => set({ reference })}
        />
      )}
      {column.before?.isGenerated !== true && (
        <Choice
          label="Identity"
          hint="The database numbers rows by itself: bigint, integer or smallint."
          value={column.identity ?? ''}
          onChange={(event) => {
            const found = identities.find(({ value }) => value === event.currentTarget.value);
            set({ identity: found?.identity ?? null });
          }}
        >
          <option value="">No</option>
          <option value="always">Always numbered</option>
          <option value="by default">Numbered unless a value is given</option>
        </Choice>
      )}
      <Field
        label="Comment"
        hint="Shown in the description of the API"
        value={column.comment}
        onChange={(event) => set({ comment: event.currentTarget.value })}
      />
    </div>
  );
}

function DroppedColumn({
  column,
  onChange,
}: Pick<ColumnEditorProps, 'column' | 'onChange'>): ReactNode {
  const name = column.before?.name ?? column.name;
  return (
    <li className="flex items-center justify-between gap-3 rounded-md border border-dashed border-danger p-3 text-[14px]">
      <span className="min-w-0 break-words">
        The column <strong>{name}</strong> is dropped.
      </span>
      <Button
        size="small"
        aria-label={`Keep the column ${name}`}
        onClick={() => onChange({ ...column, isDropped: false })}
      >
        <RotateCcw aria-hidden className="size-4" />
        Keep
      </Button>
    </li>
  );
}
