import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';

import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import type { SchemaForeignKey, SchemaTable } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { CellValue } from './cell-value.js';
import { findCandidates, valuesFor } from './lookup.js';
import type { RowTexts } from './staging.js';

interface ReferencePickerProps {
  readonly foreignKey: SchemaForeignKey;
  readonly table: SchemaTable;
  readonly onPick: (values: RowTexts) => void;
}

/** Values that say more about a row than its key, in the width of a dialog. */
const shownColumns = 3;

/** Rows of the table that a foreign key names, found by a text. */
export function ReferencePicker({ foreignKey, table, onPick }: ReferencePickerProps): ReactNode {
  const { ref } = useProject();
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const { data: rows, error } = useQuery({
    queryKey: ['projects', ref, 'candidates', table.name, wanted],
    queryFn: ({ signal }) => findCandidates({ ref, viewer: undefined, signal }, table, wanted),
    placeholderData: keepPreviousData,
  });
  const others = table.columns
    .filter(({ name }) => !foreignKey.foreignColumns.includes(name))
    .slice(0, shownColumns);
  return (
    <div className="grid gap-2">
      <Field
        label={`Choose a row of ${table.name}`}
        type="search"
        value={text}
        placeholder="Search texts and ids"
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        // Enter is no answer of the dialog here.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ProblemNotice of={error} />
      <ul
        aria-label={`Rows of ${table.name}`}
        className="max-h-56 overflow-y-auto rounded-md border border-line"
      >
        {rows?.map((row) => {
          const values = valuesFor(foreignKey, row);
          const name = Object.values(values).join(', ');
          return (
            <li key={name} className="border-b border-line last:border-0">
              <button
                type="button"
                onClick={() => onPick(values)}
                className="flex w-full items-center gap-3 px-3 py-1.5 text-left text-[13px] -outline-offset-2 hover:bg-hover"
              >
                <span className="shrink-0 font-semibold">{name}</span>
                {others.map((column) => (
                  <span key={column.name} className="min-w-0 truncate text-soft">
                    <CellValue of={row[column.name] ?? null} />
                  </span>
                ))}
              </button>
            </li>
          );
        })}
        {rows?.length === 0 && <li className="px-3 py-2 text-[13px] text-soft">No row matches.</li>}
      </ul>
    </div>
  );
}
