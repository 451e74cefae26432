import { Circle, CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const kinds = {
  good: { Icon: CircleCheck, look: 'text-good', name: 'Done' },
  open: { Icon: Circle, look: 'text-soft', name: 'Open' },
  warning: { Icon: TriangleAlert, look: 'text-warn', name: 'Warning' },
  problem: { Icon: CircleAlert, look: 'text-danger', name: 'Problem' },
} as const;

export type CheckKind = keyof typeof kinds;

interface CheckProps {
  readonly kind: CheckKind;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}

/** One line of a list of checks. */
export function Check({ kind, title, children }: CheckProps): ReactNode {
  const { Icon, look, name } = kinds[kind];
  return (
    <li className="flex items-start gap-2.5 text-[14px]">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${look}`} />
      <div className="min-w-0 grow">
        <p>
          <span className="sr-only">{name}: </span>
          {title}
        </p>
        {children !== undefined && children !== false && (
          <div className="text-[13px] break-words text-soft">{children}</div>
        )}
      </div>
    </li>
  );
}
