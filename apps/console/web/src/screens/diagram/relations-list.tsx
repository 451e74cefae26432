import type { ReactNode } from 'react';

import { counted } from '../../ui/counted.js';
import type { Graph, Relation, TableBox } from './graph.js';
import { columnsInWords, neighborsOf, shortId } from './relation-words.js';
import { RowsLink, StructureLink } from './table-links.js';
import { stateOf } from './table-state.js';

interface RelationsListProps {
  readonly graph: Graph;
  /** The tables that the search has found; undefined without a search. */
  readonly found: ReadonlySet<string> | undefined;
}

/** What the diagram draws, in words: each table with what it refers to and what refers to it. */
export function RelationsList({ graph, found }: RelationsListProps): ReactNode {
  const boxes = graph.boxes.filter(({ id }) => found === undefined || found.has(id));
  if (boxes.length === 0)
    return <p className="text-[14px] text-soft">No table or column has this in its name.</p>;
  return (
    <div
      role="region"
      aria-label="Tables and relations"
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full min-w-3xl text-left text-[14px]">
        <thead className="border-b border-line text-[13px] text-soft">
          <tr>
            <th className="px-4 py-2 font-medium">Table</th>
            <th className="px-4 py-2 font-medium">Primary key</th>
            <th className="px-4 py-2 font-medium">Refers to</th>
            <th className="px-4 py-2 font-medium">Referred to by</th>
            <th className="px-4 py-2 font-medium">Protection</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {boxes.map((box) => (
            <TableRow key={box.id} box={box} graph={graph} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow({ box, graph }: { readonly box: TableBox; readonly graph: Graph }): ReactNode {
  const { table, name } = box;
  const { refersTo, referredBy } = neighborsOf(graph, box.id);
  return (
    <tr className="align-top">
      <th scope="row" className="max-w-64 px-4 py-2 font-medium break-words">
        {table ? (
          <RowsLink to={table} className="inline-block min-h-7 min-w-7 text-accent hover:underline">
            {name}
          </RowsLink>
        ) : (
          name
        )}
        {table && (
          <span className="block text-[13px] font-normal">
            <StructureLink
              to={table}
              className="inline-block min-h-7 min-w-7 text-soft hover:underline"
              aria-label={`${counted(table.columns.length, 'column')}: structure of ${name}`}
            >
              {counted(table.columns.length, 'column')}
            </StructureLink>
          </span>
        )}
      </th>
      <td className="px-4 py-2 text-[13px] break-words">
        {table === undefined || table.primaryKey.length === 0 ? '–' : table.primaryKey.join(', ')}
      </td>
      <td className="px-4 py-2">
        <Relations of={refersTo} otherOf={({ to }) => to} />
      </td>
      <td className="px-4 py-2">
        <Relations of={referredBy} otherOf={({ from }) => from} />
      </td>
      <td className="px-4 py-2 text-[13px] text-soft">{table ? stateOf(table).words : ''}</td>
    </tr>
  );
}

interface RelationsProps {
  readonly of: readonly Relation[];
  readonly otherOf: (relation: Relation) => string;
}

function Relations({ of: relations, otherOf }: RelationsProps): ReactNode {
  if (relations.length === 0) return '–';
  return (
    <ul className="grid gap-0.5">
      {relations.map((relation) => (
        <li key={relation.id} className="break-words">
          {shortId(otherOf(relation))}{' '}
          <span className="font-mono text-[12px] text-soft">{columnsInWords(relation)}</span>
        </li>
      ))}
    </ul>
  );
}
