import type { ReactNode } from 'react';

import type { Change } from './changes.js';

interface ChangeTableProps {
  readonly changes: readonly Change[];
}

/** The fields of an entry before and after. Where nothing was before, there is one column for the values. */
export function ChangeTable({ changes }: ChangeTableProps): ReactNode {
  const isNew = changes.every(({ before }) => before === undefined);
  return (
    <table
      aria-label="Before and after"
      className="block w-full text-[13px] sm:table sm:table-fixed"
    >
      <thead className="max-sm:sr-only">
        <tr className="text-left text-soft">
          <th className="w-2/6 py-1 pr-3 font-medium">Field</th>
          {!isNew && <th className="py-1 pr-3 font-medium">Before</th>}
          <th className="py-1 font-medium">{isNew ? 'Value' : 'After'}</th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {changes.map(({ path, before, after }) => (
          <tr key={path} className="border-t border-line align-top max-sm:grid max-sm:py-1.5">
            <th
              scope="row"
              className="py-1.5 pr-3 text-left font-mono text-[12px] font-medium break-words max-sm:py-0.5"
            >
              {path === '' ? 'value' : path}
            </th>
            {!isNew && (
              <td className="py-1.5 pr-3 max-sm:py-0.5">
                <Value text={before} side="before" />
              </td>
            )}
            <td className="py-1.5 max-sm:py-0.5">
              <Value text={after} side={isNew ? 'alone' : 'after'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const looks = {
  before: 'bg-danger-soft text-danger',
  after: 'bg-good-soft text-good',
  alone: 'bg-sunken text-ink',
} as const;

/** Longer texts scroll in their place. */
const longLength = 200;

interface ValueProps {
  readonly text: string | undefined;
  readonly side: keyof typeof looks;
}

function Value({ text, side }: ValueProps): ReactNode {
  if (text === undefined) return <span className="text-soft">none</span>;
  if (text === '') return <span className="text-soft italic">empty</span>;
  return (
    <span
      tabIndex={text.length > longLength ? 0 : undefined}
      className={`inline-block max-h-48 max-w-full overflow-auto rounded-sm px-1.5 break-words whitespace-pre-wrap ${looks[side]}`}
    >
      {text}
    </span>
  );
}
