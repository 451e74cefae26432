import type { SchemaColumn, SchemaTable } from '../project/schema.js';
import type { ReactNode } from 'react';

/** The columns of a table with their types. Names and comments are text, whatever they contain. */
export function ColumnsPart({ table }: { readonly table: SchemaTable }): ReactNode {
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line bg-surface"
      role="region"
      aria-label="Columns"
      tabIndex={0}
    >
      <table className="w-full min-w-2xl text-left text-[14px]">
        <thead className="border-b border-line text-[13px] text-soft">
          <tr>
            <th className="px-4 py-2 font-medium">Name</th>
            <th className="px-4 py-2 font-medium">Type</th>
            <th className="px-4 py-2 font-medium">Default</th>
            <th className="min-w-48 px-4 py-2 font-medium">About</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {table.columns.map((column) => (
            <tr key={column.name} className="align-top">
              <th scope="row" className="px-4 py-2 font-medium break-words">
                {column.name}
              </th>
              <td className="px-4 py-2 font-mono text-[13px]">
                {column.type}
                {column.baseType !== column.type && (
                  <span className="block text-soft">{column.baseType}</span>
                )}
              </td>
              <td className="px-4 py-2 font-mono text-[13px] break-words">{defaultOf(column)}</td>
              <td className="px-4 py-2 text-[13px] break-words text-soft">
                {aboutOf(table, column).join(', ')}
                {column.comment !== null && <span className="block">{column.comment}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function defaultOf({ default: expression, isGenerated, identity }: SchemaColumn): string {
  if (identity !== null) return identity === 'always' ? 'numbered' : 'numbered unless given';
  if (expression === null) return '';
  return isGenerated ? `generated: ${expression}` : expression;
}

function aboutOf(table: SchemaTable, column: SchemaColumn): readonly string[] {
  const keys = table.foreignKeys.filter(({ columns }) => columns.includes(column.name));
  return [
    ...(table.primaryKey.includes(column.name) ? ['primary key'] : []),
    column.isNullable ? 'may be null' : 'not null',
    ...keys.map(
      (key) => `refers to ${key.schema === 'public' ? '' : `${key.schema}.`}${key.table}`,
    ),
    ...(column.enumValues === null ? [] : [`one of ${column.enumValues.join(' | ')}`]),
  ];
}
