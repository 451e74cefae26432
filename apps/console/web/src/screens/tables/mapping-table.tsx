import type { ReactNode } from 'react';

import type { SchemaTable } from '../project/schema.js';
import { type CsvFile, fillable, guessOf, type Mapping } from './csv.js';

interface MappingTableProps {
  readonly file: CsvFile;
  readonly table: SchemaTable;
  readonly mapping: Mapping;
  readonly onMap: (mapping: Mapping) => void;
}

const shownExamples = 3;

/** Which column of the file fills which column of the table, with the first values. */
export function MappingTable({ file, table, mapping, onMap }: MappingTableProps): ReactNode {
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table className="w-full text-left text-[13px]">
        <thead className="bg-sunken">
          <tr>
            {['Column', 'Filled from', 'Looks like', 'First values'].map((head) => (
              <th key={head} scope="col" className="px-3 py-1.5 font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fillable(table).map(({ name, type }) => {
            const position = mapping.get(name);
            const values = file.rows
              .slice(0, shownExamples)
              .map((row) => (position === undefined ? '' : (row[position] ?? '')));
            return (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="px-3 py-1.5 font-medium">
                  {name} <span className="font-normal text-soft">{type}</span>
                </th>
                <td className="px-3 py-1.5">
                  <select
                    aria-label={`Column for ${name}`}
                    value={position ?? ''}
                    onChange={({ currentTarget: { value } }) => {
                      const next = new Map(mapping);
                      if (value === '') next.delete(name);
                      else next.set(name, Number(value));
                      onMap(next);
                    }}
                    className="h-8 max-w-48 rounded-md border border-line-strong bg-surface px-2"
                  >
                    <option value="">its default</option>
                    {file.names.map((each, at) => (
                      // Names may be the same twice.
                      <option key={at} value={at}>
                        {each}
                      </option>
                    ))}
                  </select>
                </td>
                <td className="px-3 py-1.5 whitespace-nowrap text-soft">
                  {position === undefined ? '' : guessOf(file, position)}
                </td>
                <td className="max-w-64 truncate px-3 py-1.5 font-mono text-[12px] text-soft">
                  {values.filter((value) => value !== '').join(' · ')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
