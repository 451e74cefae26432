import { type ReactNode, useMemo, useState } from 'react';
import type { Column } from 'react-data-grid';

import { CopyButton } from '../../ui/copy.js';
import { DataGrid } from '../../ui/data-grid.js';
import { isNumeric, type StatementResult } from './result.js';

interface Row {
  /** From 1. */
  readonly number: number;
  readonly texts: readonly (string | null)[];
}

const rowHeight = 30;
const maxHeight = 420;
/** A longer value is shown below the grid as well. */
const shortLength = 40;

interface ResultGridProps {
  readonly of: StatementResult;
  readonly label: string;
}

/** The rows of a statement, each value as PostgreSQL writes it. */
export default function ResultGrid({ of: { fields, rows }, label }: ResultGridProps): ReactNode {
  const [open, setOpen] = useState<string | null>();
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      {
        key: 'number',
        name: '#',
        width: 56,
        frozen: true,
        renderCell: ({ row }) => <span className="text-soft">{row.number}</span>,
      },
      ...fields.map(({ name, type }, index): Column<Row> => ({
        key: String(index),
        name,
        resizable: true,
        minWidth: 80,
        width: widthOf(`${name} ${type}`, rows, index),
        cellClass: isNumeric({ name, type }) ? 'text-right tabular-nums' : '',
        renderHeaderCell: () => (
          <span title={`${name}: ${type}`}>
            {name} <span className="font-normal text-soft">{type}</span>
          </span>
        ),
        renderCell: ({ row }) => <Value of={row.texts[index] ?? null} />,
      })),
    ],
    [fields, rows],
  );
  const shown = useMemo(
    () => rows.map((texts, index): Row => ({ number: index + 1, texts })),
    [rows],
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <DataGrid
        aria-label={label}
        columns={columns}
        rows={shown}
        rowKeyGetter={(row) => row.number}
        rowHeight={rowHeight}
        // The height follows the number of rows up to a limit.
        style={{ blockSize: Math.min(maxHeight, rowHeight * (rows.length + 1) + 18) }}
        onSelectedCellChange={({ row, column }) => {
          const value = row?.texts[Number(column.key)];
          setOpen(typeof value === 'string' && isLong(value) ? value : undefined);
        }}
      />
      {typeof open === 'string' && (
        <div className="flex items-start rounded-md border border-line bg-sunken">
          <pre
            tabIndex={0}
            aria-label="The selected value"
            className="max-h-60 min-w-0 grow overflow-auto px-3 py-2 font-mono text-[13px] break-words whitespace-pre-wrap"
          >
            {open}
          </pre>
          <CopyButton text={open} what="the value" />
        </div>
      )}
    </div>
  );
}

const isLong = (value: string): boolean => value.length > shortLength || value.includes('\n');

function Value({ of: text }: { readonly of: string | null }): ReactNode {
  if (text === null) return <span className="text-soft italic">null</span>;
  if (text === '') return <span className="text-soft italic">empty</span>;
  return <span className="font-mono">{text.length > 300 ? `${text.slice(0, 300)}…` : text}</span>;
}

/** Room for the heading and the longest of the first values; pixels. */
function widthOf(heading: string, rows: StatementResult['rows'], index: number): number {
  const lengths = rows.slice(0, 50).map((row) => row[index]?.length ?? 4);
  return Math.min(320, Math.max(96, heading.length * 8 + 24, Math.max(4, ...lengths) * 8 + 20));
}
