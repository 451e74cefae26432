import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';

import { newUuid } from '../../api/uuid.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice } from '../../ui/field.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { SchemaColumn, SchemaForeignKey, SchemaTable } from '../project/schema.js';
import { ArrayEditor } from './array-editor.js';
import { BytesEditor } from './bytes-editor.js';
import { RangeEditor } from './range-editor.js';
import { ReferencePicker } from './reference-picker.js';
import { untouched } from './new-row.js';
import type { Cell, GivenValues } from './staging.js';
import { TimeEditor } from './time-editor.js';
import { PlainEditor, type ValueEditorProps } from './plain-editor.js';
import { hasEmptyText, kindOf, problemOfText } from './value-kinds.js';

const JsonEditor = lazy(() => import('./json-editor.js'));

interface ValueDialogProps {
  readonly column: SchemaColumn;
  /** Undefined: the default of a new row. */
  readonly value: Cell | undefined;
  /** Whether the row is not saved yet. */
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  /** The key by which the column names rows of another table, and that table if it can be read. */
  readonly reference:
    { readonly key: SchemaForeignKey; readonly table: SchemaTable | undefined } | undefined;
  /** Values by column: one, or those of all columns of a foreign key. */
  readonly onSet: (values: GivenValues) => void;
  readonly onClose: () => void;
}

/** A value with all of its room. */
export function ValueDialog({
  column,
  value,
  isNew,
  isReadOnly,
  reference,
  onSet,
  onClose,
}: ValueDialogProps): ReactNode {
  const kind = kindOf(column);
  const [text, setText] = useState(value ?? '');
  const [chosen, setChosen] = useState<Chosen>(chosenFor(value));
  const isNull = chosen === 'null';
  // An untouched value may be older than the rules here.
  const isTouched = chosen !== chosenFor(value) || text !== (value ?? '');
  const isText = chosen === 'text' && isTouched;
  const problem = isText ? problemOfText(column, text) : undefined;
  const isLacking = isText && text === '' && !hasEmptyText(kind);
  const hasDefault = isNew && (column.default !== null || column.identity !== null);
  const set = (next: string): void => {
    setChosen('text');
    setText(next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem !== undefined || isLacking) return;
    const values = { default: undefined, null: null, text };
    onSet({ [column.name]: values[chosen] });
  };
  return (
    <Dialog
      title={column.name}
      about={aboutColumn(column)}
      place={kind === 'json' || kind === 'text' ? 'wide' : 'center'}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          {!isNull && (
            <ValueEditor column={column} text={text} isReadOnly={isReadOnly} onChange={set} />
          )}
          {reference?.table && !isReadOnly && (
            <ReferencePicker foreignKey={reference.key} table={reference.table} onPick={onSet} />
          )}
          {isNull && <p className="text-[14px] text-soft italic">NULL: there is no value.</p>}
          {chosen === 'default' && (
            <p className="text-[14px] break-words text-soft">{untouched(column).help}</p>
          )}
          {problem !== undefined && (
            <p role="alert" className="text-[13px] text-danger">
              {problem}
            </p>
          )}
          {isLacking && (
            <p className="text-[13px] text-soft">
              An empty field is no value of this type. Set NULL instead.
            </p>
          )}
        </DialogBody>
        <DialogButtons>
          {!isReadOnly && (
            <Button
              className="mr-auto"
              aria-pressed={isNull}
              disabled={!column.isNullable}
              title={column.isNullable ? undefined : 'The column is not null.'}
              onClick={() => setChosen(isNull ? 'text' : 'null')}
            >
              {isNull ? 'Give a value' : 'Set NULL'}
            </Button>
          )}
          {!isReadOnly && hasDefault && (
            <Button
              aria-pressed={chosen === 'default'}
              onClick={() => {
                setChosen('default');
                setText('');
              }}
            >
              Use the default
            </Button>
          )}
          <Button onClick={onClose}>{isReadOnly ? 'Close' : 'Cancel'}</Button>
          {!isReadOnly && (
            <Button look="primary" type="submit" disabled={problem !== undefined || isLacking}>
              Stage
            </Button>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What the value is at the moment. */
type Chosen = 'default' | 'null' | 'text';

const chosenFor = (value: Cell | undefined): Chosen =>
  value === undefined ? 'default' : value === null ? 'null' : 'text';

function aboutColumn(column: SchemaColumn): string {
  const { type, isNullable, isGenerated, identity } = column;
  const rules = [
    type,
    ...(isNullable ? [] : ['not null']),
    ...(isGenerated ? [`computed: ${column.default ?? ''}`] : []),
    ...(identity === null ? [] : [`numbered by the database (identity ${identity})`]),
    ...(column.default !== null && !isGenerated ? [`default ${column.default}`] : []),
  ];
  return column.comment === null ? rules.join(' · ') : `${rules.join(' · ')}. ${column.comment}`;
}

function ValueEditor(props: ValueEditorProps): ReactNode {
  const { column, text, isReadOnly, onChange } = props;
  switch (kindOf(column)) {
    case 'json':
      return (
        <Suspense fallback={<Skeleton className="w-full" />}>
          <JsonEditor {...props} />
        </Suspense>
      );
    case 'array':
      return <ArrayEditor {...props} />;
    case 'range':
      return <RangeEditor {...props} />;
    case 'bytea':
      return <BytesEditor {...props} />;
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return <TimeEditor {...props} />;
    case 'boolean':
    case 'enum':
      return (
        <Choice
          label="Value"
          value={text}
          disabled={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {text === '' && <option value="">Choose</option>}
          {(column.enumValues ?? ['true', 'false']).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </Choice>
      );
    case 'uuid':
      return (
        <>
          <PlainEditor {...props} rows={1} />
          {!isReadOnly && (
            <Button className="justify-self-start" onClick={() => onChange(newUuid())}>
              New UUID
            </Button>
          )}
        </>
      );
    case 'text':
    case 'other':
      return <PlainEditor {...props} rows={10} />;
    case 'integer':
    case 'number':
    case 'time':
      return <PlainEditor {...props} rows={1} />;
  }
}
