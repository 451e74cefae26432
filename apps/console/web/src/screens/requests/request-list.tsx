import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type UIEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

import { useNarrow } from '../../ui/narrow.js';
import { exactTime } from '../../ui/time-in-words.js';
import { isSlow, keyOf, type RecentRequest } from './recent.js';
import { callerNames, clockOf, lengthInWords, routeInWords } from './words.js';

interface RequestListProps {
  readonly requests: readonly RecentRequest[];
  readonly onOpen: (request: RecentRequest) => void;
  /** Whether it is being read: the pointer is over it, it is scrolled, or it has the focus. It does not change. */
  readonly onUse: (isInUse: boolean) => void;
}

const rowPx = 34;
const narrowRowPx = 56;
const columns =
  'grid-cols-[3rem_minmax(0,1fr)_auto] sm:grid-cols-[6.5rem_3rem_minmax(0,1fr)_minmax(0,10rem)_5rem] lg:grid-cols-[6.5rem_3rem_minmax(0,2fr)_minmax(0,11rem)_minmax(0,9rem)_5.5rem_5.5rem]';

/** The requests, of which only those in sight are in the page. The arrow keys go through them, Enter opens one. */
export function RequestList({ requests, onOpen, onUse }: RequestListProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const use = useUse(onUse);
  const id = useId();
  const [current, setCurrent] = useState<string>();
  const height = useNarrow() ? narrowRowPx : rowPx;
  const rows = useVirtualizer({
    count: requests.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (index) => {
      const request = requests[index];
      return request ? keyOf(request) : index;
    },
    overscan: 12,
  });
  const at = requests.findIndex((request) => keyOf(request) === current);
  const go = (index: number): void => {
    const bounded = Math.max(0, Math.min(requests.length - 1, index));
    const request = requests[bounded];
    if (request) setCurrent(keyOf(request));
    rows.scrollToIndex(bounded);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const request = requests[at];
    const to = nextIndex(event.key, at, requests.length);
    if (to === undefined && !(request && (event.key === 'Enter' || event.key === ' '))) return;
    event.preventDefault();
    if (to !== undefined) go(to);
    else if (request) onOpen(request);
  };
  const drawn = rows.getVirtualItems();
  const isCurrentDrawn = drawn.some(({ index }) => index === at);
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <Heads />
      <div
        ref={box}
        role="listbox"
        aria-label="Requests"
        tabIndex={0}
        aria-activedescendant={isCurrentDrawn ? `${id}-${at}` : undefined}
        onKeyDown={onKeyDown}
        {...use}
        className="h-[max(18rem,calc(100dvh-21rem))] overflow-y-auto rounded-b-lg -outline-offset-2"
      >
        <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
          {drawn.map(({ index, key, start }) => {
            const request = requests[index];
            return (
              request && (
                <div
                  key={key}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  aria-setsize={requests.length}
                  aria-posinset={index + 1}
                  onClick={() => {
                    setCurrent(keyOf(request));
                    onOpen(request);
                  }}
                  style={{ height, transform: `translateY(${start}px)` }}
                  className={`absolute inset-x-0 top-0 grid cursor-pointer items-center gap-x-3 border-b border-line px-3 text-[13px] hover:bg-hover aria-selected:bg-accent-soft ${columns}`}
                >
                  <Cells of={request} />
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Handlers by which the list knows whether it is being read. */
function useUse(onUse: (isInUse: boolean) => void) {
  const reasons = useRef(new Set<'hover' | 'scroll' | 'focus'>());
  // What is no longer there is neither left by the pointer nor blurred.
  useEffect(() => () => onUse(false), [onUse]);
  const note = (reason: 'hover' | 'scroll' | 'focus', holds: boolean): void => {
    if (holds) reasons.current.add(reason);
    else reasons.current.delete(reason);
    onUse(reasons.current.size > 0);
  };
  return {
    onPointerEnter: ({ pointerType }: PointerEvent) => note('hover', pointerType === 'mouse'),
    onPointerLeave: () => note('hover', false),
    onScroll: ({ currentTarget }: UIEvent) => note('scroll', currentTarget.scrollTop > 0),
    onFocus: () => note('focus', true),
    onBlur: () => note('focus', false),
  };
}

/** The titles above the list. */
function Heads(): ReactNode {
  return (
    <div
      aria-hidden
      className={`grid gap-x-3 border-b border-line px-3 py-2 text-[13px] text-soft max-sm:hidden ${columns}`}
    >
      <span>Began</span>
      <span>Status</span>
      <span>Request</span>
      <span className="max-lg:hidden">Code</span>
      <span>Caller</span>
      <span className="text-right max-lg:hidden">Database</span>
      <span className="text-right">Took</span>
    </div>
  );
}

function Cells({ of: request }: { readonly of: RecentRequest }): ReactNode {
  const { at, status, method, route, code, credential, databaseMs, ms } = request;
  return (
    <>
      <time dateTime={at} title={exactTime(at)} className="text-soft tabular-nums max-sm:hidden">
        {clockOf(at)}
      </time>
      <span className={`tabular-nums font-medium ${colorOf(status)}`}>{status}</span>
      <span className="grid min-w-0 sm:contents">
        <span className="truncate font-mono text-[12px]" title={`${method} ${routeInWords(route)}`}>
          <b className="font-semibold">{method}</b> {routeInWords(route)}
        </span>
        <span className="truncate font-mono text-[12px] text-danger max-lg:hidden">{code}</span>
        <span className="truncate text-soft">
          {callerNames[credential]}
          <span className="tabular-nums sm:hidden">, {clockOf(at)}</span>
        </span>
      </span>
      <span className="text-right text-soft tabular-nums max-lg:hidden">
        {databaseMs !== null && lengthInWords(databaseMs)}
      </span>
      <span
        className={`text-right tabular-nums ${isSlow(request) ? 'font-medium text-warn' : 'text-soft'}`}
      >
        {lengthInWords(ms)}
      </span>
    </>
  );
}

export function colorOf(status: number): string {
  if (status >= 500) return 'text-danger';
  return status >= 400 ? 'text-warn' : 'text-good';
}

/** The index that a key leads to; undefined: the key means nothing here. */
function nextIndex(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return at + 1;
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'PageDown':
      return at + 10;
    case 'PageUp':
      return Math.max(0, at - 10);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
