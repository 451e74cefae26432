import { type ReactNode, useSyncExternalStore } from 'react';

import { exactTime, relativeTime } from './time-in-words.js';

interface TimeProps {
  readonly at: string;
  /** In a list whose rows the arrow keys go through, it is no stop of the Tab key. */
  readonly isInRow?: boolean;
}

/** How long ago or ahead a moment is, in words; the exact time in the viewer's zone on hover and on focus. */
export function Time({ at, isInRow = false }: TimeProps): ReactNode {
  useMinute();
  const exact = exactTime(at);
  const words = relativeTime(at, Date.now());
  if (isInRow)
    return (
      <time dateTime={at} title={exact} className="whitespace-nowrap">
        {words}
      </time>
    );
  return (
    <time
      dateTime={at}
      title={exact}
      tabIndex={0}
      className="group rounded-sm whitespace-nowrap focus:whitespace-normal"
    >
      <span className="group-focus:hidden">{words}</span>
      <span className="hidden group-focus:inline">{exact}</span>
    </time>
  );
}

const minuteMs = 60_000;

/** Draws the component again once a minute. */
function useMinute(): void {
  useSyncExternalStore(
    (listener) => {
      const timer = window.setInterval(listener, minuteMs);
      return () => window.clearInterval(timer);
    },
    () => Math.floor(Date.now() / minuteMs),
  );
}
