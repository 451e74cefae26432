import { useVirtualizer } from '@tanstack/react-virtual';
import { Database, LogIn, MessageSquare, TriangleAlert, UserRound } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

import { useNarrow } from '../../ui/narrow.js';
import { latencyOf, type LogEntry } from './log.js';

interface LogListProps {
  readonly entries: readonly LogEntry[];
  /** The number of the entry whose details are shown. */
  readonly open: number | undefined;
  readonly onOpen: (seq: number | undefined) => void;
}

const rowPx = 34;
const narrowRowPx = 56;

const icons = {
  change: Database,
  message: MessageSquare,
  presence: UserRound,
  channel: LogIn,
} as const;

/** The entries, of which only those in sight are in the page. The arrow keys go from one to the next. */
export function LogList({ entries, open, onOpen }: LogListProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const isNarrow = useNarrow();
  const height = isNarrow ? narrowRowPx : rowPx;
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (index) => entries[index]?.seq ?? index,
    overscan: 12,
  });
  const at = entries.findIndex(({ seq }) => seq === open);
  const go = (index: number): void => {
    const bounded = Math.max(0, Math.min(entries.length - 1, index));
    onOpen(entries[bounded]?.seq);
    rows.scrollToIndex(bounded);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = nextIndex(event.key, at, entries.length);
    if (to === undefined) return;
    event.preventDefault();
    if (to === -1) onOpen(undefined);
    else go(to);
  };
  const drawn = rows.getVirtualItems();
  const isOpenDrawn = drawn.some(({ index }) => index === at);
  return (
    <div
      ref={box}
      role="listbox"
      aria-label="Events"
      tabIndex={0}
      aria-activedescendant={isOpenDrawn ? `${id}-${open}` : undefined}
      onKeyDown={onKeyDown}
      className="h-[26rem] overflow-y-auto rounded-lg border border-line bg-surface"
    >
      <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
        {drawn.map(({ index, key, start }) => {
          const entry = entries[index];
          return (
            entry && (
              <div
                key={key}
                id={`${id}-${entry.seq}`}
                role="option"
                aria-selected={entry.seq === open}
                aria-setsize={entries.length}
                aria-posinset={index + 1}
                onClick={() => onOpen(entry.seq === open ? undefined : entry.seq)}
                style={{ height, transform: `translateY(${start}px)` }}
                className="absolute inset-x-0 top-0 grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line px-3 text-[13px] hover:bg-hover aria-selected:bg-accent-soft sm:grid-cols-[1rem_6.5rem_minmax(0,11rem)_minmax(0,12rem)_minmax(0,1fr)_auto]"
              >
                <EntryCells of={entry} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** The index that a key leads to; -1 closes the details, undefined: the key means nothing here. */
function nextIndex(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return at + 1;
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return -1;
    default:
      return undefined;
  }
}

function EntryCells({ of: entry }: { readonly of: LogEntry }): ReactNode {
  const { kind, isBad, topic, who, title, preview, times } = entry;
  const Icon = isBad ? TriangleAlert : icons[kind];
  const latency = latencyOf(times);
  return (
    <>
      <Icon aria-hidden className={`size-4 ${isBad ? 'text-danger' : 'text-soft'}`} />
      <span className="text-soft tabular-nums max-sm:hidden">{clock(times.arrivedAt)}</span>
      <span className="truncate text-soft max-sm:hidden" title={`${topic} as ${who}`}>
        {topic} as {who}
      </span>
      <span className="grid min-w-0 sm:contents">
        <span className={`truncate font-medium ${isBad ? 'text-danger' : ''}`}>
          {title}
          <span className="font-normal text-soft sm:hidden"> as {who}</span>
        </span>
        <span className="truncate font-mono text-[12px]">{preview}</span>
      </span>
      <span className="text-right text-soft tabular-nums">
        {latency !== undefined && `${latency.toLocaleString('en')} ms`}
      </span>
    </>
  );
}

/** The time of the day with milliseconds, in the zone of the browser. */
function clock(ms: number): string {
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const millis = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${millis}`;
}
