import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';

import { Choice, Field } from '../../ui/field.js';
import { useNarrow } from '../../ui/narrow.js';
import type { SchemaTable } from '../project/schema.js';

interface TableListProps {
  readonly tables: readonly SchemaTable[];
  /** The name of the table that is open. */
  readonly open: string | undefined;
  /** Above the list. */
  readonly side: ReactNode;
  readonly onOpen: (name: string) => void;
}

const rowPx = 34;

/** The tables to choose from: a list with a filter, or on a narrow page a choice. */
export function TableList(props: TableListProps): ReactNode {
  const isNarrow = useNarrow();
  const { tables, open, side, onOpen } = props;
  if (isNarrow)
    return (
      <div className="grid gap-2">
        <Choice
          label="Table"
          value={open ?? ''}
          onChange={(event) => onOpen(event.currentTarget.value)}
        >
          {open === undefined && <option value="">Choose a table</option>}
          {tables.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </Choice>
        <div>{side}</div>
      </div>
    );
  return <WideList {...props} />;
}

function WideList({ tables, open, side, onOpen }: TableListProps): ReactNode {
  const [filter, setFilter] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const wanted = filter.trim().toLowerCase();
  const shown = tables.filter(({ name }) => name.toLowerCase().includes(wanted));
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  return (
    <nav aria-label="Tables" className="grid content-start gap-2">
      <div>{side}</div>
      <Field
        label="Find a table"
        type="search"
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <div
        ref={box}
        className="max-h-[65vh] overflow-y-auto rounded-lg border border-line bg-surface p-1"
      >
        <ul className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <ListedTable
              key={shown[index]?.name}
              of={shown[index]}
              start={start}
              isOpen={shown[index]?.name === open}
              onOpen={onOpen}
            />
          ))}
        </ul>
        {shown.length === 0 && (
          <p className="px-2 py-1.5 text-[13px] text-soft">No table has this in its name.</p>
        )}
      </div>
    </nav>
  );
}

interface ListedTableProps {
  readonly of: SchemaTable | undefined;
  readonly start: number;
  readonly isOpen: boolean;
  readonly onOpen: (name: string) => void;
}

function ListedTable({ of: table, start, isOpen, onOpen }: ListedTableProps): ReactNode {
  if (!table) return null;
  const { name, kind, partitionOf } = table;
  const mark = partitionOf !== null ? 'partition' : kind === 'table' ? '' : kind;
  return (
    <li className="absolute inset-x-0" style={{ transform: `translateY(${start}px)` }}>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={() => onOpen(name)}
        className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-[14px] -outline-offset-2 hover:bg-hover aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
      >
        <span className="min-w-0 grow truncate" title={name}>
          {name}
        </span>
        {mark !== '' && <span className="shrink-0 text-[12px] text-soft">{mark}</span>}
      </button>
    </li>
  );
}
