import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import type { Graph, Relation, TableBox } from './graph.js';
import { columnsInWords, neighborsOf, shortId } from './relation-words.js';
import { RowsLink, StructureLink } from './table-links.js';
import { stateOf } from './table-state.js';

interface TablePanelProps {
  readonly box: TableBox;
  readonly graph: Graph;
  /** Whether the diagram is of this table and its neighbors. */
  readonly isCenter: boolean;
  readonly onChoose: (id: string) => void;
  readonly onAround: (name: string | undefined) => void;
  readonly onClose: () => void;
}

const linkLook =
  'inline-flex h-9 items-center rounded-md border border-line-strong/60 bg-surface px-3.5 text-[14px] font-medium shadow-lift hover:bg-hover';

/** The table that is chosen: where it leads, and what it is related to. */
export function TablePanel(props: TablePanelProps): ReactNode {
  const { box, graph, isCenter, onChoose, onAround, onClose } = props;
  const { table, name } = box;
  const { refersTo, referredBy } = neighborsOf(graph, box.id);
  return (
    <section
      aria-label={`The table ${name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <header className="flex items-start gap-2">
        <div className="mr-auto min-w-0">
          <h2 className="text-[16px] font-semibold break-words">{name}</h2>
          {table && <p className="text-[13px] text-soft">{stateOf(table).title}</p>}
          {table?.comment !== null && table?.comment !== undefined && (
            <p className="text-[14px] break-words">{table.comment}</p>
          )}
        </div>
        <Button look="quiet" size="icon" aria-label="Choose no table" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </header>
      {table && (
        <div className="flex flex-wrap gap-2">
          <RowsLink to={table} className={linkLook}>
            Rows
          </RowsLink>
          <StructureLink to={table} className={linkLook}>
            Structure
          </StructureLink>
          <Button onClick={() => onAround(isCenter ? undefined : name)}>
            {isCenter ? 'Show all tables' : 'Show its relations alone'}
          </Button>
        </div>
      )}
      <RelationGroup
        title="Refers to"
        relations={refersTo}
        otherOf={({ to }) => to}
        onChoose={onChoose}
      />
      <RelationGroup
        title="Referred to by"
        relations={referredBy}
        otherOf={({ from }) => from}
        onChoose={onChoose}
      />
    </section>
  );
}

interface RelationGroupProps {
  readonly title: string;
  readonly relations: readonly Relation[];
  readonly otherOf: (relation: Relation) => string;
  readonly onChoose: (id: string) => void;
}

function RelationGroup({ title, relations, otherOf, onChoose }: RelationGroupProps): ReactNode {
  if (relations.length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h3 className="text-[13px] font-semibold">{title}</h3>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {relations.map((relation) => (
          <li key={relation.id} className="min-w-0 text-[13px]">
            <button
              type="button"
              onClick={() => onChoose(otherOf(relation))}
              className="max-w-full rounded-sm text-left font-medium break-words text-accent hover:underline"
            >
              {shortId(otherOf(relation))}
            </button>{' '}
            <span className="font-mono text-[12px] break-words text-soft">
              {columnsInWords(relation)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
