import type { SchemaColumn } from '../project/schema.js';
import { type ReactNode, useId } from 'react';

export interface ValueEditorProps {
  readonly column: SchemaColumn;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** The exact text of a value. */
export function PlainEditor({
  text,
  isReadOnly,
  onChange,
  rows,
  label = 'Value',
}: ValueEditorProps & { readonly rows: number; readonly label?: string }): ReactNode {
  const id = useId();
  const look =
    'w-full rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-[13px] focus-visible:outline-offset-0';
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-semibold">
        {label}
      </label>
      {rows === 1 ? (
        <input
          autoFocus={label === 'Value'}
          id={id}
          value={text}
          readOnly={isReadOnly}
          spellCheck={false}
          autoComplete="off"
          className={look}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <textarea
          autoFocus={label === 'Value'}
          id={id}
          value={text}
          readOnly={isReadOnly}
          rows={rows}
          className={look}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
