import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const kinds = {
  problem: { look: 'bg-danger-soft text-danger', Icon: CircleAlert },
  warning: { look: 'bg-warn-soft text-warn', Icon: TriangleAlert },
  good: { look: 'bg-good-soft text-good', Icon: CircleCheck },
  plain: { look: 'bg-sunken text-ink', Icon: Info },
} as const;

interface NoticeProps {
  readonly kind: keyof typeof kinds;
  readonly children: ReactNode;
}

/** A message beside what it is about. Problems are read out at once. */
export function Notice({ kind, children }: NoticeProps): ReactNode {
  const { look, Icon } = kinds[kind];
  return (
    <div
      role={kind === 'problem' ? 'alert' : kind === 'good' ? 'status' : undefined}
      className={`flex items-start gap-2.5 rounded-md px-3 py-2.5 text-[14px] ${look}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 grow">{children}</div>
    </div>
  );
}
