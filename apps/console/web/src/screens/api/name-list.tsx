import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';

import { Choice } from '../../ui/field.js';
import { useNarrow } from '../../ui/narrow.js';
import { SearchField } from '../../ui/search-field.js';
import type { ApiContent } from './document.js';
import type { ApiSearch } from './search.js';

interface NameListProps {
  readonly content: ApiContent;
  readonly search: ApiSearch;
  readonly onSearch: (next: ApiSearch) => void;
}

type Entry =
  | { readonly kind: 'start' }
  | { readonly kind: 'title'; readonly name: string }
  | { readonly kind: 'table' | 'function'; readonly name: string };

const rowPx = 34;
const start: ApiSearch = { table: undefined, function: undefined };

/** The way from page to page: a list with a filter, or on a narrow page a choice. */
export function NameList(props: NameListProps): ReactNode {
  const isNarrow = useNarrow();
  return isNarrow ? <NarrowList {...props} /> : <WideList {...props} />;
}

function NarrowList({
  content: { tables, functions },
  search,
  onSearch,
}: NameListProps): ReactNode {
  const value =
    search.table !== undefined
      ? `table ${search.table}`
      : search.function === undefined
        ? ''
        : `function ${search.function}`;
  return (
    <Choice
      label="Page"
      value={value}
      onChange={({ currentTarget: { value: chosen } }) => {
        const [kind = '', ...rest] = chosen.split(' ');
        onSearch(pageOf(kind, rest.join(' ')));
      }}
    >
      <option value="">Start</option>
      <optgroup label="Tables">
        {tables.map(({ name }) => (
          <option key={name} value={`table ${name}`}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="Functions">
        {functions.map(({ name }) => (
          <option key={name} value={`function ${name}`}>
            {name}
          </option>
        ))}
      </optgroup>
    </Choice>
  );
}

function pageOf(kind: string, name: string): ApiSearch {
  if (kind === 'table') return { ...start, table: name };
  return kind === 'function' ? { ...start, function: name } : start;
}

function WideList({ content, search, onSearch }: NameListProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const entries = entriesOf(content, search.q ?? '');
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  return (
    <nav aria-label="Pages of the API" className="grid content-start gap-2">
      <SearchField
        className=""
        label="Find a table or function"
        placeholder="Table or function"
        value={search.q}
        onChange={(q) => onSearch({ q })}
      />
      <div
        ref={box}
        className="max-h-[70vh] overflow-y-auto rounded-lg border border-line bg-surface p-1"
      >
        <ul className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start: top }) => (
            <li
              key={index}
              className="absolute inset-x-0"
              style={{ transform: `translateY(${top}px)` }}
            >
              <EntryRow of={entries[index]} search={search} onSearch={onSearch} />
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

interface EntryRowProps {
  readonly of: Entry | undefined;
  readonly search: ApiSearch;
  readonly onSearch: (next: ApiSearch) => void;
}

function EntryRow({ of: entry, search, onSearch }: EntryRowProps): ReactNode {
  if (!entry) return null;
  if (entry.kind === 'title')
    return <p className="px-2 pt-2 text-[12px] font-semibold text-soft">{entry.name}</p>;
  const name = entry.kind === 'start' ? 'Start' : entry.name;
  const isOpen =
    entry.kind === 'start'
      ? search.table === undefined && search.function === undefined
      : search[entry.kind] === entry.name;
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={() => onSearch(pageOf(entry.kind, name))}
      className="flex h-8 w-full items-center rounded-md px-2 text-left text-[14px] -outline-offset-2 hover:bg-hover aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
    >
      <span className="min-w-0 grow truncate" title={name}>
        {name}
      </span>
    </button>
  );
}

function entriesOf({ tables, functions }: ApiContent, filter: string): readonly Entry[] {
  const wanted = filter.trim().toLowerCase();
  const fits = ({ name }: { readonly name: string }): boolean =>
    name.toLowerCase().includes(wanted);
  const group = (
    title: string,
    kind: 'table' | 'function',
    members: readonly { readonly name: string }[],
  ): readonly Entry[] => {
    const shown = members.filter(fits);
    if (shown.length === 0) return [];
    return [{ kind: 'title', name: title }, ...shown.map(({ name }): Entry => ({ kind, name }))];
  };
  return [
    { kind: 'start' },
    ...group('Tables', 'table', tables),
    ...group('Functions', 'function', functions),
  ];
}
