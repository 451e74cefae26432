import type { ReactNode } from 'react';

import type { Difference } from './diff.js';

interface TableProps {
  readonly label: string;
  readonly of: readonly Difference[];
}

/** What differs, field by field. */
export function DifferencesTable({ label, of: differences }: TableProps): ReactNode {
  if (differences.length === 0) {
    return <p className="text-[14px] text-soft">No stored value differs.</p>;
  }
  return (
    <table aria-label={label} className="block w-full text-[13px] sm:table sm:table-fixed">
      <thead className="max-sm:sr-only">
        <tr className="text-left text-soft">
          <th className="w-2/5 py-1 pr-3 font-medium">Field</th>
          <th className="py-1 pr-3 font-medium">Before</th>
          <th className="py-1 font-medium">After</th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {differences.map(({ path, label: name, before, after }) => (
          <tr
            key={`${path} ${before}`}
            className="border-t border-line align-top max-sm:grid max-sm:py-1.5"
          >
            <th scope="row" className="py-1.5 pr-3 text-left font-medium break-words max-sm:py-0.5">
              {name}
            </th>
            <td className="py-1.5 pr-3 max-sm:py-0.5">
              <Value text={before} isOld />
            </td>
            <td className="py-1.5 max-sm:py-0.5">
              <Value text={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({
  text,
  isOld = false,
}: {
  readonly text: string;
  readonly isOld?: boolean;
}): ReactNode {
  const look = isOld ? 'bg-danger-soft text-danger' : 'bg-good-soft text-good';
  return (
    <span
      // Long texts such as templates scroll in their place.
      tabIndex={text.length > 200 ? 0 : undefined}
      className={`inline-block max-h-40 max-w-full overflow-auto rounded-sm px-1.5 break-words whitespace-pre-wrap ${look}`}
    >
      {text}
    </span>
  );
}
