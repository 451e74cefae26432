import { Plus, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import type { Key, KeyKind } from './queries.js';

interface KeysPanelProps {
  readonly kind: KeyKind;
  /** Undefined while they are read. */
  readonly keys: readonly Key[] | undefined;
  readonly onMake: () => void;
  readonly onRotate: () => void;
  readonly onRevoke: (key: Key) => void;
  readonly children: ReactNode;
}

const faces: Readonly<Record<KeyKind, { readonly title: string; readonly about: string }>> = {
  publishable: {
    title: 'Publishable keys',
    about: 'For apps and pages. They may be public: policies decide what a caller sees.',
  },
  secret: {
    title: 'Secret keys',
    about: 'For servers alone. A secret key passes every policy and administers the project.',
  },
};

/** The keys of one kind, known by their last characters, and what can be done with them. */
export function KeysPanel({
  kind,
  keys,
  onMake,
  onRotate,
  onRevoke,
  children,
}: KeysPanelProps): ReactNode {
  const { title, about } = faces[kind];
  const endless = keys?.filter(({ expiresAt }) => expiresAt === null) ?? [];
  return (
    <Panel
      title={title}
      side={
        <span className="flex flex-wrap gap-2">
          <Button onClick={onRotate} aria-label={`Rotate the ${kind} keys`}>
            <RotateCw aria-hidden className="size-4" />
            Rotate
          </Button>
          <Button onClick={onMake} aria-label={`New key, ${kind}`}>
            <Plus aria-hidden className="size-4" />
            New key
          </Button>
        </span>
      }
    >
      <div className="grid gap-1">
        <p className="text-[14px] text-soft">{about}</p>
        {children}
      </div>
      {keys ? (
        <ul aria-label={title} className="divide-y divide-line border-t border-line">
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              of={key}
              isLast={key.expiresAt === null && endless.length === 1}
              onRevoke={() => onRevoke(key)}
            />
          ))}
        </ul>
      ) : (
        <div role="group" aria-busy aria-label="Loading" className="border-t border-line pt-3">
          <Skeleton className="w-64" />
        </div>
      )}
    </Panel>
  );
}

interface KeyRowProps {
  readonly of: Key;
  /** It is the last one without an end, which cannot be revoked. */
  readonly isLast: boolean;
  readonly onRevoke: () => void;
}

function KeyRow({
  of: { kind, hint, createdAt, expiresAt },
  isLast,
  onRevoke,
}: KeyRowProps): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-3 last:pb-0">
      <div className="min-w-0 grow basis-56">
        <code className="text-[14px] break-all">
          svc_{kind}_…{hint}
        </code>
        <p className="text-[13px] text-soft">
          made <Time at={createdAt} />
          {expiresAt === null ? (
            ' · no end'
          ) : (
            <>
              {' · '}
              <span className="text-warn">
                ends <Time at={expiresAt} />
              </span>
            </>
          )}
        </p>
      </div>
      {isLast ? (
        <span className="text-[13px] text-soft">
          It is the only key without an end: rotate it instead of revoking it
        </span>
      ) : (
        <Button size="small" aria-label={`Revoke the key …${hint}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  );
}
