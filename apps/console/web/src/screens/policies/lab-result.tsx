import { Eye, EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';

import { Notice } from '../../ui/notice.js';
import { decisionInWords, outcomeInWords, rowsInWords, tableInWords } from './decision-words.js';
import type { RefusedRow, TryResult } from './queries.js';

const shownRows = 50;
const shownChars = 1000;

/** What has come of a try: the answer, the rows that are hidden, and the policies that decide. */
export function LabResult({ of: result }: { readonly of: TryResult }): ReactNode {
  const { outcome, hidden, refusedRows, caller, durationMs } = result;
  const about = tableInWords(result);
  const body = outcome.kind === 'answered' ? outcome.body : null;
  const rows: readonly unknown[] = Array.isArray(body) ? body : body === null ? [] : [body];
  return (
    <section aria-label="Result" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Notice kind={outcome.kind === 'refused' ? 'problem' : 'good'}>
        <p>{outcomeInWords(result)}</p>
        <p className="text-[13px]">
          As {caller.role}, in {durationMs} ms. Everything was undone.
        </p>
      </Notice>
      {about !== undefined && <Notice kind="warning">{about}</Notice>}
      {refusedRows.length > 0 && (
        <RowList
          title="Refused rows"
          icon={<EyeOff aria-hidden className="size-4 text-danger" />}
          rows={refusedRows}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        {outcome.kind === 'answered' && (
          <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <h3 className="flex items-center gap-2 text-[14px] font-semibold">
              <Eye aria-hidden className="size-4 text-good" />
              The answer
              {Array.isArray(body) && (
                <span className="font-normal text-soft">{rowsInWords(rows.length)}</span>
              )}
            </h3>
            {rows.length === 0 ? (
              <p className="text-[14px] text-soft">
                {body === null ? 'It has no body.' : 'The caller sees no row.'}
              </p>
            ) : (
              <ul className="divide-y divide-line rounded-md border border-line bg-surface">
                {rows.slice(0, shownRows).map((row, index) => (
                  // Rows of an answer have no key that every table has.
                  // oxlint-disable-next-line react/no-array-index-key -- the list is never reordered
                  <li key={index} className="px-3 py-2">
                    <RowText of={row} />
                  </li>
                ))}
              </ul>
            )}
          </section>
        )}
        {hidden && (
          <RowList
            title="Hidden rows"
            icon={<EyeOff aria-hidden className="size-4 text-warn" />}
            rows={hidden.rows}
            count={hidden.count}
          />
        )}
      </div>
      <Policies of={result} />
    </section>
  );
}

interface RowListProps {
  readonly title: string;
  readonly icon: ReactNode;
  readonly rows: readonly RefusedRow[];
  readonly count?: number | null;
}

function RowList({ title, icon, rows, count }: RowListProps): ReactNode {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="flex items-center gap-2 text-[14px] font-semibold">
        {icon}
        {title}
        {count !== undefined && count !== null && (
          <span className="font-normal text-soft">
            {rowsInWords(count)}
            {count > rows.length && `, the first ${rows.length} shown`}
          </span>
        )}
      </h3>
      {rows.length === 0 ? (
        <p className="text-[14px] text-soft">No row is hidden.</p>
      ) : (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {rows.map((refused, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the list is never reordered
            <li key={index} className="grid grid-cols-[minmax(0,1fr)] gap-1 px-3 py-2">
              <RowText of={refused.row} />
              <p className="text-[13px] break-words">{decisionInWords(refused)}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function RowText({ of: row }: { readonly of: unknown }): ReactNode {
  const text = JSON.stringify(row);
  return (
    <code className="block font-mono text-[12px] break-all text-soft">
      {text.length > shownChars ? `${text.slice(0, shownChars)}…` : text}
    </code>
  );
}

/** The policies that apply to the caller. */
function Policies({ of: { policies, table } }: { readonly of: TryResult }): ReactNode {
  if (!table) return null;
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-[14px] font-semibold">Policies that apply</h3>
      {policies.length === 0 ? (
        <p className="text-[14px] text-soft">None.</p>
      ) : (
        <ul className="grid gap-1 text-[13px]">
          {policies.map(({ name, command, isPermissive, using, check }) => (
            <li key={name} className="break-words">
              <span className="font-semibold">{name}</span>{' '}
              <span className="text-soft">
                ({command}
                {isPermissive ? '' : ', restrictive'})
              </span>{' '}
              <code className="font-mono text-[12px]">{using ?? check ?? ''}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
