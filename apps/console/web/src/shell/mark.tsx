import type { ReactNode } from 'react';

/** The sign of Rowhouse: three houses in a row. */
export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className="size-6 text-accent" fill="currentColor">
      <path d="M1 21V9l3.5-4L8 9v12zm7.5 0V9L12 5l3.5 4v12zm7.5 0V9l3.5-4L23 9v12z" />
    </svg>
  );
}
