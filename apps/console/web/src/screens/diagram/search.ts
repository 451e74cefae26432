// What the address of the diagram says: which part of the schema is drawn, and how.
import { searchText } from '../../shell/search-text.js';

export const columnChoices = ['keys', 'none'] as const;

export interface DiagramSearch {
  readonly schema?: string | undefined;
  /** Part of the names of tables and columns to find. */
  readonly q?: string | undefined;
  /** The table that is chosen. */
  readonly table?: string | undefined;
  /** This table and those that it is related to; all tables unless it is given. */
  readonly around?: string | undefined;
  /** `related`: tables with a relation alone. */
  readonly only?: 'related' | undefined;
  /** The columns that are drawn; all of them unless it is given. */
  readonly columns?: (typeof columnChoices)[number] | undefined;
  /** `list`: the relations as a list in place of the picture. */
  readonly view?: 'list' | undefined;
}

/** The parameters that are valid. */
export function readDiagramSearch(given: Record<string, unknown>): DiagramSearch {
  const text = (name: string): string | undefined => searchText(given[name]);
  return {
    schema: text('schema'),
    q: text('q'),
    table: text('table'),
    around: text('around'),
    only: given['only'] === 'related' ? 'related' : undefined,
    columns: columnChoices.find((choice) => choice === given['columns']),
    view: given['view'] === 'list' ? 'list' : undefined,
  };
}
