// Filters of table changes: the grammar of the REST API, of which libs/rest-query has the parser, with fewer operators.
// Columns and types are not known here; SQL over the changed row decides with the types of the database.
import { AppError, ERRORS } from '#libs/errors';
import {
  parseRowFilter,
  parseValueList,
  type FilterTree,
  type IsKeyword,
  type ParsedCondition,
} from '#libs/rest-query';

import { invalidFrame } from './fields.js';

/** The operators with one value, as SQL writes them. */
export const CHANGE_COMPARISONS = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  ilike: 'ilike',
} as const;
export type ChangeComparison = keyof typeof CHANGE_COMPARISONS;

/** A condition on a column of the changed row. In values of `like` and `ilike`, `%` is the wildcard. */
export type ChangeTest = { readonly column: string } & (
  | { readonly kind: 'compare'; readonly operator: ChangeComparison; readonly value: string }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly keyword: IsKeyword }
);

export type ChangeFilter = FilterTree<ChangeTest>;

const maxLength = 4096;
/**
 * Limits of the patterns of `like` and `ilike` in one filter. PostgreSQL compares a pattern with each place of a value, and
 * a time limit does not interrupt it: a pattern of 100 characters takes up to a quarter of a second for 1 MB.
 */
const maxPatterns = 10;
const maxPatternLength = 100;
const operators = [...Object.keys(CHANGE_COMPARISONS), 'in', 'is'].join(', ');

/** Parses a filter like `room_id=eq.5` or `or=(a.eq.1,b.is.null)`. Throws INVALID_FRAME with `path` as its field. */
export function parseChangeFilter(value: unknown, path: string): ChangeFilter {
  if (typeof value !== 'string') throw invalidFrame(path, 'must be a text');
  if (value.length > maxLength) {
    throw invalidFrame(path, `must have at most ${maxLength} characters`);
  }
  // PostgreSQL stores no half of a surrogate pair, so no row can match it.
  if (!value.isWellFormed()) throw invalidFrame(path, 'must not contain half of a surrogate pair');
  try {
    const { tree, operands } = parseRowFilter(value);
    const filter = readTree(tree, { path, operands });
    checkPatterns(patternsIn(filter), path);
    return filter;
  } catch (error) {
    if (error instanceof AppError && error.code === 'PGRST100') {
      throw invalidFrame(path, reasonOf(error));
    }
    throw error;
  }
}

/** What a node of a filter and a value of `in` take in memory beside their texts, in bytes. */
const bytesOfNode = 150;
const bytesOfValue = 32;

/** About as many bytes as a filter takes in memory: short conditions take many times their text. */
export function filterBytes(filter: ChangeFilter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.nodes.reduce((sum, node) => sum + filterBytes(node), bytesOfNode);
    case 'not':
      return bytesOfNode + filterBytes(filter.node);
    case 'leaf': {
      const { leaf } = filter;
      return bytesOfNode + leaf.column.length + valueBytes(leaf);
    }
  }
}

function valueBytes(leaf: ChangeTest): number {
  switch (leaf.kind) {
    case 'in':
      return leaf.values.reduce((sum, value) => sum + bytesOfValue + value.length, 0);
    case 'compare':
      return leaf.value.length;
    case 'is':
      return 0;
  }
}

/** The patterns of `like` and `ilike` in a filter. */
export function patternsIn(filter: ChangeFilter): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.nodes.flatMap(patternsIn);
    case 'not':
      return patternsIn(filter.node);
    case 'leaf': {
      const { leaf } = filter;
      return leaf.kind === 'compare' && isPattern(leaf.operator) ? [leaf.value] : [];
    }
  }
}

function checkPatterns(patterns: readonly string[], path: string): void {
  if (patterns.length > maxPatterns) {
    throw invalidFrame(path, `must have at most ${maxPatterns} patterns of like and ilike`);
  }
  if (patterns.join('').length > maxPatternLength) {
    throw invalidFrame(
      path,
      `the patterns of like and ilike must have at most ${maxPatternLength} characters together`,
    );
  }
}

/** The message of a grammar error without its beginning, which speaks of a request. */
function reasonOf({ message }: AppError): string {
  return message.slice(ERRORS.PGRST100.message.indexOf('{'));
}

interface Place {
  readonly path: string;
  readonly operands: readonly string[];
}

function readTree(tree: FilterTree<ParsedCondition>, place: Place): ChangeFilter {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return { kind: tree.kind, nodes: tree.nodes.map((node) => readTree(node, place)) };
    case 'not':
      return { kind: 'not', node: readTree(tree.node, place) };
    case 'leaf':
      return { kind: 'leaf', leaf: readTest(tree.leaf, place) };
  }
}

function readTest({ field, test }: ParsedCondition, { path, operands }: Place): ChangeTest {
  if (field.path.length > 0) {
    throw invalidFrame(path, `${field.name} is followed by a JSON path; name a column alone`);
  }
  const column = field.name;
  switch (test.kind) {
    case 'is':
      return { column, kind: 'is', keyword: test.keyword };
    case 'in':
      return { column, kind: 'in', values: parseValueList(operands[test.slot] ?? '') };
    case 'compare': {
      const { operator, quantifier, slot } = test;
      if (!isChangeComparison(operator) || quantifier !== undefined) break;
      const text = operands[slot] ?? '';
      const value = isPattern(operator) ? text.replaceAll('*', '%') : text;
      if (isPattern(operator) && endsInEscape(value)) {
        throw invalidFrame(
          path,
          `the pattern of ${column} ends in a backslash that escapes nothing`,
        );
      }
      return { column, kind: 'compare', operator, value };
    }
    case 'search':
    case 'equals-result':
      break;
  }
  throw invalidFrame(path, `the operator on ${column} is not for channels; use ${operators}`);
}

/**
 * PostgreSQL refuses such a pattern only for a value that matches the rest of it, so the error would show what rows hold
 * that the client may not see.
 */
function endsInEscape(pattern: string): boolean {
  const [backslashes = ''] = /\\*$/.exec(pattern) ?? [];
  return backslashes.length % 2 === 1;
}

function isPattern(operator: ChangeComparison): boolean {
  return operator === 'like' || operator === 'ilike';
}

function isChangeComparison(operator: string): operator is ChangeComparison {
  return Object.hasOwn(CHANGE_COMPARISONS, operator);
}
