import { type KeyboardEvent, type ReactNode, useLayoutEffect } from 'react';
import type { RenderEditCellProps } from 'react-data-grid';

import type { SchemaColumn } from '../project/schema.js';
import { cellOf, type GridRow } from './grid-row.js';
import { untouched } from './new-row.js';
import { isSaveKey } from './save.js';
import type { Cell } from './staging.js';
import { kindOf, problemOfText, valueOfInput } from './value-kinds.js';

const look = 'size-full border-0 bg-surface px-2 font-mono text-[12.5px] text-ink outline-none';

interface InlineEditorProps extends Pick<
  RenderEditCellProps<GridRow>,
  'row' | 'rowIdx' | 'onRowChange' | 'onClose'
> {
  readonly info: SchemaColumn;
  readonly onEdit: (row: number | undefined) => void;
}

/** The editor within a cell. Enter, Tab and the key that saves keep the value, Escape does not. */
export function InlineEditor(props: InlineEditorProps): ReactNode {
  const { info, row, rowIdx, onRowChange, onClose, onEdit } = props;
  useLayoutEffect(() => {
    onEdit(rowIdx);
    return () => onEdit(undefined);
  }, [onEdit, rowIdx]);
  const kind = kindOf(info);
  const value = cellOf(row, info.name);
  const set = (next: Cell | undefined, isDone = false): void => {
    const { [info.name]: _former, ...rest } = { ...row.values };
    const values = next === undefined ? rest : { ...rest, [info.name]: next };
    onRowChange({ ...row, values }, isDone);
  };
  const isNew = row.known === undefined;
  // The value is staged before the same event saves what is staged.
  const keep = (event: KeyboardEvent): void => {
    if (isSaveKey(event)) onClose(true, true);
  };
  if (kind === 'boolean' || kind === 'enum') {
    const choices = kind === 'enum' ? (info.enumValues ?? []) : ['true', 'false'];
    return (
      <select
        autoFocus
        aria-label={info.name}
        className={look}
        value={value === undefined ? 'untouched' : value === null ? 'null' : `=${value}`}
        onChange={({ currentTarget: { value: chosen } }) =>
          set(chosen === 'untouched' ? undefined : chosen === 'null' ? null : chosen.slice(1), true)
        }
        onKeyDown={keep}
        onBlur={() => onClose(true, false)}
      >
        {isNew && <option value="untouched">not set: {untouched(info).word}</option>}
        <option value="null" disabled={!info.isNullable}>
          NULL
        </option>
        {choices.map((choice) => (
          <option key={choice} value={`=${choice}`}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  const problem = typeof value === 'string' ? problemOfText(info, value) : undefined;
  return (
    <input
      autoFocus
      aria-label={info.name}
      aria-invalid={problem !== undefined || undefined}
      title={problem ?? (value === undefined ? untouched(info).help : undefined)}
      className={`${look} aria-[invalid=true]:text-danger`}
      spellCheck={false}
      autoComplete="off"
      value={value ?? ''}
      placeholder={value === undefined ? untouched(info).word : value === null ? 'NULL' : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value: text } }) => set(valueOfInput(kind, text))}
      onKeyDown={keep}
      onBlur={() => onClose(true, false)}
    />
  );
}
