import { type ReactNode, useMemo, useState } from 'react';
import type { Column } from 'react-data-grid';

import { DataGrid } from '../../ui/data-grid.js';
import type { Capability } from './capabilities.js';
import type { MatrixRow } from './matrix.js';
import { type Cell, cellAt, nameOf, type Person, type Place } from './people.js';

const rowHeight = 34;
const maxHeight = 640;
/** The width of the page from which the columns are wide; pixels. */
const wideFrom = 640;
const widths = { narrow: { place: 128, person: 112 }, wide: { place: 240, person: 136 } } as const;

interface MatrixGridProps {
  readonly rows: readonly MatrixRow[];
  readonly people: readonly Person[];
  readonly capability: Capability | undefined;
  readonly onOpen: (person: Person, place: Place) => void;
}

/** The cells in sight of the matrix. The arrow keys go from cell to cell, Enter opens one. */
export function MatrixGrid({ rows, people, capability, onOpen }: MatrixGridProps): ReactNode {
  const [width] = useState(() => widths[window.innerWidth < wideFrom ? 'narrow' : 'wide']);
  const byId = useMemo(() => new Map(people.map((person) => [person.id, person])), [people]);
  const columns = useMemo(
    (): readonly Column<MatrixRow>[] => [
      {
        key: 'place',
        name: 'Organization or project',
        width: width.place,
        frozen: true,
        renderCell: ({ row }) => <PlaceName row={row} />,
      },
      ...people.map((person): Column<MatrixRow> => ({
        key: person.id,
        name: nameOf(person),
        width: width.person,
        renderHeaderCell: () => (
          <span
            title={person.email}
            className={person.status === 'disabled' ? 'line-through opacity-70' : ''}
          >
            {nameOf(person)}
          </span>
        ),
        renderCell: ({ row }) => <CellText of={cellAt(person, row.place, capability)} />,
      })),
    ],
    [people, capability, width],
  );
  const open = (row: MatrixRow, key: string): boolean => {
    const person = byId.get(key);
    if (person) onOpen(person, row.place);
    return person !== undefined;
  };
  return (
    <DataGrid<MatrixRow, unknown, string>
      aria-label="Access of operators to projects"
      columns={columns}
      rows={rows}
      rowKeyGetter={({ key }) => key}
      rowHeight={rowHeight}
      rowClass={({ place }) => (place.ref === null ? 'font-semibold' : undefined)}
      // The size follows the number of rows and columns, up to a limit.
      style={{
        blockSize: Math.min(maxHeight, rowHeight * (rows.length + 1) + 18),
        inlineSize: `min(100%, ${width.place + people.length * width.person + 2}px)`,
      }}
      onCellClick={({ row, column }) => void open(row, column.key)}
      onCellKeyDown={(args, event) => {
        if (event.key !== 'Enter' || args.mode !== 'SELECT' || !args.row) return;
        if (!open(args.row, args.column.key)) return;
        event.preventGridDefault();
        event.preventDefault();
      }}
    />
  );
}

function PlaceName({ row: { name, place } }: { readonly row: MatrixRow }): ReactNode {
  if (place.ref === null)
    return (
      <span title={`All projects of ${name}`}>
        {name} <span className="font-normal text-soft">all projects</span>
      </span>
    );
  return (
    <span title={`${name} (${place.ref})`} className="pl-3">
      {name}
    </span>
  );
}

const looks: Readonly<Record<Cell['from'], readonly [dot: string, about: string]>> = {
  own: ['bg-accent', ''],
  organization: ['bg-line-strong', ', from the organization'],
  administrator: ['bg-warn', ', as an administrator of the deployment'],
  none: ['', ''],
};

function CellText({ of: { text, from } }: { readonly of: Cell }): ReactNode {
  if (from === 'none')
    return (
      <span className="text-soft">
        <span aria-hidden>–</span>
        <span className="sr-only">nothing</span>
      </span>
    );
  const [dot, about] = looks[from];
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${dot}`} />
      <span className={`truncate ${from === 'own' ? '' : 'text-soft'}`}>{text}</span>
      {about !== '' && <span className="sr-only">{about}</span>}
    </span>
  );
}
