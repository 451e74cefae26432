import type { ReactNode } from 'react';

import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';

interface ListedObject {
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly id?: string;
  /** Short words beside the name. */
  readonly marks?: readonly string[];
  /** The SQL of it, or a sentence. */
  readonly code: string;
  readonly note?: string | undefined;
  readonly actions?: ReactNode;
}

interface ObjectListProps {
  readonly title: string;
  /** What these objects do, for the empty list. */
  readonly empty: string;
  /** The button that makes another one. */
  readonly side?: ReactNode;
  /** Undefined while they are read. */
  readonly objects: readonly ListedObject[] | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** A part of a table: its objects with their SQL, and what can be done with each. */
export function ObjectList({
  title,
  empty,
  side,
  objects,
  error,
  onRetry,
}: ObjectListProps): ReactNode {
  return (
    <Panel title={title} side={side}>
      {error !== null && <ProblemNotice of={error} onRetry={onRetry} />}
      {objects === undefined && error === null && (
        <div role="group" aria-busy aria-label="Loading" className="grid gap-3">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      )}
      {objects?.length === 0 && <p className="text-[14px] text-soft">{empty}</p>}
      {objects !== undefined && objects.length > 0 && (
        <ul aria-label={title} className="divide-y divide-line">
          {objects.map((each) => (
            <Row key={each.id ?? each.name} of={each} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ of: { name, marks = [], code, note, actions } }: { readonly of: ListedObject }) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap items-center gap-2 text-[14px] font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {marks.map((mark) => (
            <span
              key={mark}
              className="rounded-sm bg-sunken px-1.5 text-[12px] font-normal text-soft"
            >
              {mark}
            </span>
          ))}
        </p>
        {code !== '' && (
          <code className="block font-mono text-[13px] break-words whitespace-pre-wrap text-soft">
            {code}
          </code>
        )}
        {note !== undefined && <p className="text-[13px] break-words text-soft">{note}</p>}
      </div>
      {actions !== undefined && <div className="flex items-center gap-1">{actions}</div>}
    </li>
  );
}
