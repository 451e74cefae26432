import type { Node, NodeProps } from '@xyflow/react';
import { Blocks, KeyRound, Link2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';

import { type BoxColumn, headPx, rowPx, type TableBox } from './graph.js';
import { RowsLink, StructureLink } from './table-links.js';
import { stateOf } from './table-state.js';
import { useDiagramView } from './view-context.js';

export type BoxNode = Node<{ readonly box: TableBox }, 'table'>;

const stateLooks = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
  soft: 'bg-sunken text-soft',
} as const;

/** A table: its name leads to its rows, the sign beside it to its structure. */
export const TableNode = memo(function TableNode({ data: { box } }: NodeProps<BoxNode>): ReactNode {
  const { isFar, chosen, found } = useDiagramView();
  const isChosen = chosen === box.id;
  const isMarked = isChosen || found?.has(box.id) === true;
  const frame = `size-full overflow-hidden rounded-md border bg-surface ${isMarked ? 'border-accent outline-accent' : 'border-line-strong'} ${isChosen ? 'outline-3' : isMarked ? 'outline-2' : ''} ${box.table ? '' : 'border-dashed'}`;
  if (isFar)
    return (
      <div className={`${frame} grid place-content-center px-2`}>
        <span className="truncate text-[32px] leading-none font-semibold">{box.name}</span>
      </div>
    );
  return (
    <div className={`${frame} text-[13px] leading-none`}>
      <Head box={box} />
      {box.columns.map((column) => (
        <Row key={column.name} column={column} />
      ))}
      {box.moreColumns > 0 && (
        <p className="flex items-center px-2.5 text-soft" style={{ height: rowPx }}>
          and {box.moreColumns} more
        </p>
      )}
    </div>
  );
});

function Head({ box: { name, table } }: { readonly box: TableBox }): ReactNode {
  const state = table && stateOf(table);
  return (
    <div
      className="flex items-center gap-1.5 border-b border-line bg-sunken px-2.5"
      style={{ height: headPx - 1 }}
    >
      {table ? (
        <RowsLink
          to={table}
          tabIndex={-1}
          title={name}
          className="min-w-0 grow truncate py-1 font-semibold hover:underline"
        >
          {name}
        </RowsLink>
      ) : (
        <span className="min-w-0 grow truncate text-soft" title={name}>
          {name}
        </span>
      )}
      {state && (
        <span
          title={state.title}
          className={`shrink-0 rounded-full px-1.5 py-0.5 text-[11px] font-semibold ${stateLooks[state.kind]}`}
        >
          {state.words}
        </span>
      )}
      {table && (
        <StructureLink
          to={table}
          tabIndex={-1}
          aria-label={`Structure of ${name}`}
          title="Structure"
          className="shrink-0 rounded-sm p-1 text-soft hover:bg-hover hover:text-ink"
        >
          <Blocks aria-hidden className="size-3.5" />
        </StructureLink>
      )}
    </div>
  );
}

function Row({ column }: { readonly column: BoxColumn }): ReactNode {
  const { name, type, isPrimary, isForeign, isNullable } = column;
  return (
    <p className="flex items-center gap-1.5 px-2.5" style={{ height: rowPx }}>
      <span className="w-3.5 shrink-0 text-accent">
        {isPrimary && <KeyRound role="img" aria-label="primary key" className="size-3.5" />}
        {!isPrimary && isForeign && (
          <Link2 role="img" aria-label="foreign key" className="size-3.5" />
        )}
      </span>
      <span className={`min-w-0 grow truncate leading-normal ${isPrimary ? 'font-semibold' : ''}`}>
        {name}
      </span>
      <span
        className="max-w-1/2 shrink-0 truncate font-mono text-[12px] leading-normal text-soft"
        title={isNullable ? `${type}, may be null` : type}
      >
        {type}
        {isNullable && '?'}
      </span>
    </p>
  );
}
