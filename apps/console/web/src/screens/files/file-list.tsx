import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import type { MenuEntry } from '../../ui/menu-entry.js';
import { columns, EntryRow, WaitingRow } from './entry-row.js';
import type { Entry } from './queries.js';
import { nextOrder, type Order, type OrderField } from './search.js';
import type { Entries } from './use-entries.js';

const rowPx = 48;
/** Rows above and below those in sight that are in the page as well. */
const spare = 6;

interface FileListProps {
  readonly found: Entries;
  readonly total: number;
  readonly order: Order;
  readonly selected: ReadonlyMap<string, Entry>;
  readonly onSelect: (entries: readonly Entry[], isSelected: boolean) => void;
  /** All entries are selected, also those that are not read yet, or none. */
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly onSort: (order: Order) => void;
  readonly onOpen: (entry: Entry) => void;
  readonly onDelete: (entries: readonly Entry[]) => void;
  readonly entriesOf: (entry: Entry) => readonly MenuEntry[];
}

/**
 * The folders and files of a folder, of which the rows in sight are in the page. The arrow keys, Home, End and the page
 * keys go from name to name, Enter opens, Space selects, Delete deletes.
 */
export function FileList(props: FileListProps): ReactNode {
  const { found, total, order, selected, onSelectAll, onSort } = props;
  const { entries, show } = found;
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  /** The row that gets the focus when it is there. */
  const [wanted, setWanted] = useState<number>();
  const first = Math.max(0, Math.floor(view.top / rowPx) - spare);
  const last = Math.min(total - 1, Math.ceil((view.top + view.height) / rowPx) + spare);
  useEffect(() => show(first, Math.max(first, last)), [show, first, last]);
  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return;
    const measure = (): void => setView({ top: current.scrollTop, height: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const name = place.current?.querySelector<HTMLElement>(`[data-row="${wanted}"]`);
    if (!name) return;
    name.focus();
    setWanted(undefined);
  }, [wanted, entries, first]);
  const go = (row: number): void => {
    const { current } = place;
    const target = Math.min(total - 1, Math.max(0, row));
    if (!current) return;
    const [top, bottom] = [target * rowPx, (target + 1) * rowPx];
    if (top < current.scrollTop) current.scrollTop = top;
    else if (bottom > current.scrollTop + current.clientHeight) {
      current.scrollTop = bottom - current.clientHeight;
    }
    setWanted(target);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = rowOf(event.target);
    const target = at === undefined ? undefined : targetOf(event.key, at, { total, view });
    if (target !== undefined) {
      event.preventDefault();
      go(target);
      return;
    }
    const entry = at === undefined ? undefined : entries.get(at);
    if (!entry) return;
    if (event.key === ' ') {
      event.preventDefault();
      props.onSelect([entry], !selected.has(entry.key));
    }
    if (event.key === 'Delete')
      props.onDelete(selected.size > 0 ? [...selected.values()] : [entry]);
  };
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const areAll = total > 0 && selected.size >= total;
  return (
    <div
      role="table"
      aria-label="Folders and files"
      aria-rowcount={total + 1}
      className="rounded-lg border border-line bg-surface"
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className={`grid items-center gap-x-4 border-b border-line px-4 py-2 text-[13px] text-soft ${columns}`}
        >
          <span role="columnheader">
            <input
              type="checkbox"
              aria-label="Select everything in this folder"
              checked={areAll}
              onChange={() => onSelectAll(!areAll)}
              className="block size-4 accent-accent"
            />
          </span>
          <Head field="name" order={order} onSort={onSort}>
            Name
          </Head>
          <Head field="size" order={order} onSort={onSort} className="max-sm:hidden">
            Size
          </Head>
          <span role="columnheader" className="max-lg:hidden">
            Type
          </span>
          <Head field="updatedAt" order={order} onSort={onSort} className="max-lg:hidden">
            Changed
          </Head>
          <span role="columnheader">
            <span className="sr-only">Actions</span>
          </span>
        </div>
      </div>
      <div
        ref={place}
        role="presentation"
        className="max-h-[65vh] overflow-y-auto"
        onScroll={({ currentTarget }) =>
          setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
        }
        onKeyDown={onKeyDown}
        onKeyUp={(event) => {
          // A button acts when the key goes up, in some browsers whatever has become of its way down.
          if (event.key === ' ' && rowOf(event.target) !== undefined) event.preventDefault();
        }}
      >
        <div role="rowgroup" className="relative" style={{ height: total * rowPx }}>
          {rows.map((row) => {
            const entry = entries.get(row);
            const style = { top: row * rowPx, height: rowPx };
            if (!entry) return <WaitingRow key={row} row={row} style={style} />;
            return (
              <EntryRow
                key={row}
                row={row}
                style={style}
                entry={entry}
                isSelected={selected.has(entry.key)}
                onSelect={props.onSelect}
                onOpen={props.onOpen}
                entriesOf={props.entriesOf}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The place of the row whose name has the focus. */
function rowOf(target: EventTarget): number | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const text = target.dataset['row'];
  return text === undefined ? undefined : Number(text);
}

interface Shown {
  readonly total: number;
  readonly view: { readonly height: number };
}

function targetOf(key: string, at: number, { total, view }: Shown): number | undefined {
  const page = Math.max(1, Math.floor(view.height / rowPx) - 1);
  switch (key) {
    case 'ArrowDown':
      return at + 1;
    case 'ArrowUp':
      return at - 1;
    case 'PageDown':
      return at + page;
    case 'PageUp':
      return at - page;
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}

interface HeadProps {
  readonly field: OrderField;
  readonly order: Order;
  readonly onSort: (order: Order) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

function Head({ field, order, onSort, className = '', children }: HeadProps): ReactNode {
  const isSorted = order.field === field;
  const Arrow = order.direction === 'desc' ? ArrowDown : ArrowUp;
  return (
    <span
      role="columnheader"
      className={className}
      {...(isSorted && { 'aria-sort': order.direction === 'desc' ? 'descending' : 'ascending' })}
    >
      <button
        type="button"
        onClick={() => onSort(nextOrder(order, field))}
        className={`inline-flex items-center gap-1 rounded-sm hover:text-ink ${isSorted ? 'text-ink' : ''}`}
      >
        {children}
        {isSorted && <Arrow aria-hidden className="size-3.5" />}
      </button>
    </span>
  );
}
