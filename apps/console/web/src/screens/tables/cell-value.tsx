import type { ReactNode } from 'react';

import type { SchemaColumn } from '../project/schema.js';
import { untouched } from './new-row.js';
import type { Cell } from './staging.js';

/** More of a value is shown when it is opened. */
const shownLength = 200;

/** A value as a text of one line. NULL and the empty text look different from each other and from any text. */
export function CellValue({ of: value }: { readonly of: Cell }): ReactNode {
  if (value === null) return <Word>NULL</Word>;
  if (value === '') return <Word>empty text</Word>;
  const text = value.length > shownLength ? `${value.slice(0, shownLength)}…` : value;
  return <span className="font-mono text-[12.5px]">{text.replace(/\r?\n/g, ' ↵ ')}</span>;
}

/** What a column of a new row gets as long as no value is given. */
export function UntouchedValue({ of: column }: { readonly of: SchemaColumn }): ReactNode {
  const { word, help, isMissing } = untouched(column);
  return (
    <span title={help} className={`text-[12px] italic ${isMissing ? 'text-warn' : 'text-soft'}`}>
      {word}
    </span>
  );
}

function Word({ children }: { readonly children: string }): ReactNode {
  return <span className="text-[12px] text-soft italic">{children}</span>;
}
