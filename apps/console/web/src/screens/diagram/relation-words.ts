import type { Graph, Relation } from './graph.js';

/** The columns of a relation: `customer_id → id`. */
export const columnsInWords = ({ fromColumns, toColumns }: Relation): string =>
  `${fromColumns.join(', ')} → ${toColumns.join(', ')}`;

export interface Neighbors {
  /** Keys of the table. */
  readonly refersTo: readonly Relation[];
  /** Keys of others that refer to it, and its own that refer to itself. */
  readonly referredBy: readonly Relation[];
}

export function neighborsOf({ relations }: Pick<Graph, 'relations'>, id: string): Neighbors {
  return {
    refersTo: relations.filter(({ from }) => from === id),
    referredBy: relations.filter(({ to }) => to === id),
  };
}

/** A table of the schema public without its schema. */
export const shortId = (id: string): string => id.replace(/^public\./, '');
