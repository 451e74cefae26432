import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';

/** Rows of a list in the details of a user. */
export function Rows({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {children}
    </ul>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly about: ReactNode;
  readonly action?: ReactNode;
}

export function Row({ title, about, action }: RowProps): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3">
      <div className="min-w-0 grow basis-56">
        <div className="font-medium break-words">{title}</div>
        <div className="text-[13px] break-words text-soft">{about}</div>
      </div>
      {action}
    </li>
  );
}

/** What a part of the details says when there is nothing in it. */
export function Nothing({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className="rounded-lg border border-dashed border-line px-4 py-6 text-center text-[14px] text-soft">
      {children}
    </p>
  );
}

interface RemoveButtonProps {
  readonly name: string;
  /** The same in fewer words, beside the button that keeps it. */
  readonly shortName?: string;
  /** What is removed, for the name of the button. */
  readonly what: string;
  readonly busy?: boolean;
  readonly onRemove: () => void;
}

/** A removal that nothing brings back: the first press asks, the second one does it. */
export function RemoveButton(props: RemoveButtonProps): ReactNode {
  const { name, shortName, what, busy = false, onRemove } = props;
  const [isAsking, setAsking] = useState(false);
  const [wasKept, setKept] = useState(false);
  if (!isAsking)
    return (
      <Button
        size="small"
        busy={busy}
        autoFocus={wasKept}
        aria-label={`${name} ${what}`}
        onClick={() => setAsking(true)}
      >
        {name}
      </Button>
    );
  return (
    <span className="flex gap-1.5">
      <Button
        size="small"
        autoFocus
        onClick={() => {
          setAsking(false);
          setKept(true);
        }}
      >
        Keep
      </Button>
      <Button
        size="small"
        look="danger"
        busy={busy}
        aria-label={
          shortName === undefined
            ? `${name} ${what} for good`
            : `${shortName} for good: ${name} ${what}`
        }
        onClick={onRemove}
      >
        {shortName ?? name} for good
      </Button>
    </span>
  );
}
