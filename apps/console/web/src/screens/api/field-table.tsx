import type { ReactNode } from 'react';

import type { ApiField, FieldSchema } from './document.js';

interface FieldTableProps {
  /** What the fields are, for screen readers. */
  readonly label: string;
  readonly fields: readonly ApiField[];
  /** What is said about a field beside its type. */
  readonly about: (field: ApiField) => string;
}

/** Columns or arguments with the types that they have in JSON. */
export function FieldTable({ label, fields, about }: FieldTableProps): ReactNode {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full min-w-md text-left text-[14px]">
        <thead className="border-b border-line text-[13px] text-soft">
          <tr>
            <th className="px-4 py-2 font-medium">Name</th>
            <th className="px-4 py-2 font-medium">Type</th>
            <th className="px-4 py-2 font-medium">About</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {fields.map((field) => (
            <tr key={field.name} className="align-top">
              <th scope="row" className="px-4 py-2 font-medium break-words">
                {field.name}
              </th>
              <td className="px-4 py-2 font-mono text-[13px]">{typeInWords(field.schema)}</td>
              <td className="px-4 py-2 text-[13px] break-words text-soft">{about(field)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function typeInWords({ types, format, items, enum: labels }: FieldSchema): string {
  if (labels)
    return labels.flatMap((label) => (typeof label === 'string' ? [label] : [])).join(' | ');
  const [type = 'any JSON'] = types;
  if (type === 'array') return `${items ? typeInWords(items) : 'any JSON'}[]`;
  return format === undefined ? type : `${type} (${format})`;
}
