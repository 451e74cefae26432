import type { ReactNode } from 'react';

interface BarProps {
  /** From 0 to 1. */
  readonly share: number;
  /** From this share on, the bar warns. */
  readonly warnsAt?: number;
}

/** How much of something is used; the text beside it has the numbers. */
export function Bar({ share, warnsAt = 0.85 }: BarProps): ReactNode {
  const filled = Math.min(1, Math.max(0, share));
  return (
    <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
      <div
        className={`h-full rounded-full ${filled >= warnsAt ? 'bg-warn' : 'bg-accent'}`}
        style={{ width: `${filled * 100}%` }}
      />
    </div>
  );
}
