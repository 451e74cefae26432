import type { ReactNode } from 'react';

import { Time } from '../../ui/time.js';
import type { Project } from './queries.js';

const looks: Readonly<Record<string, readonly [text: string, look: string]>> = {
  active: ['Active', 'bg-good-soft text-good'],
  paused: ['Paused', 'bg-warn-soft text-warn'],
  creating: ['Being made', 'bg-sunken text-soft'],
  deleted: ['Deleted', 'bg-danger-soft text-danger'],
  deleting: ['Being removed', 'bg-danger-soft text-danger'],
};

export function Status({ of: { status } }: { readonly of: Project }): ReactNode {
  const [text, look] = looks[status] ?? [status, 'bg-sunken text-soft'];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-[13px] font-medium whitespace-nowrap ${look}`}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {text}
    </span>
  );
}

/** When it was made, or when a deleted project is removed for good. */
export function Moment({ of: { createdAt, deleteAt } }: { readonly of: Project }): ReactNode {
  if (deleteAt === null) return <Time isInRow at={createdAt} />;
  return (
    <>
      removed <Time isInRow at={deleteAt} />
    </>
  );
}
