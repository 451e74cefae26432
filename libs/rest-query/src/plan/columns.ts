import { nearestName, type Column, type Table } from '#libs/catalog';
import { fail } from '#libs/errors';
import { syntaxError } from '../parse/names.js';
import type { FilterNode, OrderTerm, Output, RestRequest, Representation } from '../types.js';

/** The column of `table` called `name`. Throws PGRST204 with the nearest name as a hint. */
export function getColumn(table: Table, name: string): Column {
  const column = table.columnByName.get(name);
  if (column) return column;
  const nearest = nearestName(name, table.columnByName.keys());
  throw fail(
    'PGRST204',
    { column: name, table: table.name },
    nearest === undefined ? {} : { hint: `Perhaps you meant the column ${nearest}` },
  );
}

/** The same tree of filters over columns of the catalog. Throws PGRST204. */
export function resolveFilter(table: Table, node: FilterNode<string>): FilterNode<Column> {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, nodes: node.nodes.map((child) => resolveFilter(table, child)) };
    case 'not':
      return { kind: 'not', node: resolveFilter(table, node.node) };
    case 'condition':
      return { kind: 'condition', field: getColumn(table, node.field), test: node.test };
  }
}

/** Whether a tree of filters lets every row through because it has no condition. */
export function isUnfiltered(node: FilterNode<Column>): boolean {
  return node.kind === 'and' && node.nodes.length === 0;
}

/** What the caller wants to see of the rows of `table`. Throws PGRST204 and PGRST100. */
export function planRepresentation(table: Table, request: RestRequest): Representation {
  return {
    outputs: planOutputs(table, request),
    order: resolveOrder(table, request.order),
    format: request.format,
  };
}

// Every column is named in the statement, also for `*`: a prepared statement with `*` breaks when the
// table changes. Of two outputs with one name the later stays, as a JSON parser would have it.
function planOutputs(table: Table, { select }: RestRequest): readonly Output[] {
  const outputs = new Map<string, Output>();
  const add = (output: Output): void => {
    outputs.set(output.name, output);
  };
  for (const item of select) {
    if (item.kind === 'all') {
      for (const column of table.columns) {
        add({ kind: 'column', column, cast: undefined, name: column.name });
      }
    } else {
      const column = getColumn(table, item.name);
      add({ kind: 'column', column, cast: item.cast, name: item.alias ?? column.name });
    }
  }
  return [...outputs.values()];
}

function resolveOrder(
  table: Table,
  order: readonly OrderTerm<string>[],
): readonly OrderTerm<Column>[] {
  return order.map((term) => ({ ...term, field: getColumn(table, term.field) }));
}

/** The columns of a list that a request names, each once. Throws PGRST204, PGRST100 for a repeated one. */
export function resolveNames(table: Table, names: readonly string[]): readonly Column[] {
  const columns = names.map((name) => getColumn(table, name));
  if (new Set(columns).size < columns.length) throw syntaxError('a column is named twice');
  return columns;
}
