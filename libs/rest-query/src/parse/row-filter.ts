import type { FilterTree, ParsedCondition } from '../types/grammar.js';
import { parseClauses } from './clauses.js';
import { shorten, syntaxError } from './names.js';
import { isReserved, parametersOfKey, templateOf } from './query-template.js';

/** A filter of rows with its values: the operand of slot n is the n-th of `operands`. */
export interface RowFilter {
  readonly tree: FilterTree<ParsedCondition>;
  readonly operands: readonly string[];
}

const TREE = /^(?:not\.)?(?:and|or)$/;

/**
 * Parses one filter that is not part of a URL, `column=operator.operand` or a logic tree like `or=(a.eq.1,b.eq.2)`. The
 * grammar is that of the table routes, without percent-encoding and without embeds. Throws PGRST100.
 */
export function parseRowFilter(text: string): RowFilter {
  const equals = text.indexOf('=');
  if (equals < 1) throw syntaxError(`"${shorten(text)}" is not column=operator.value`);
  const name = text.slice(0, equals);
  if (isReserved(name, 'table') && !TREE.test(name)) {
    throw syntaxError(`${shorten(name)} is not a filter; quote the name of a column`);
  }
  const query = `${encodeURIComponent(name)}=${encodeURIComponent(text.slice(equals + 1))}`;
  const { key, operands } = templateOf(query, 'table');
  const { root, embedded } = parseClauses(parametersOfKey(key), 'table');
  const [tree] = root.where.kind === 'and' ? root.where.nodes : [];
  if (!tree || embedded.length > 0) {
    throw syntaxError(`${shorten(name)} is not a column; a filter cannot name related rows`);
  }
  return { tree, operands };
}
