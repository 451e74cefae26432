import {
  COMPARISONS,
  IS_TESTS,
  TEXT_SEARCHES,
  type Comparison,
  type FieldName,
  type FilterTree,
  type IsKeyword,
  type ParsedCondition,
  type Test,
  type TextSearch,
} from '../types/grammar.js';
import { readPath } from './json-path.js';
import { MAX_EMBED_DEPTH } from './limits.js';
import { checkLimit, Cursor, shorten, syntaxError } from './names.js';

const OPERATOR = /^([a-z]+)(?:\(([^()]*)\))?\.$/;
const CONFIG = /^[\p{L}\p{N}_.]+$/u;
const NAME_STOP = /\.|->/g;
const KEY_STOP = /->/g;

/** The name of a filter: the embeds that lead to its column, from the outside in, and the column. */
export interface FilterName {
  readonly path: readonly string[];
  readonly field: FieldName;
}

/** Parses `embed.embed.column->path`. Throws PGRST100. */
export function parseFilterName(text: string): FilterName {
  const cursor = new Cursor(text);
  const names: string[] = [];
  do {
    const { text: name } = cursor.readName(NAME_STOP);
    if (name === '') throw syntaxError(`a parameter has no name: "${shorten(text)}"`);
    names.push(name);
    checkLimit(names.length - 1, MAX_EMBED_DEPTH, 'nested embeds');
  } while (cursor.take('.'));
  const path = readPath(cursor, KEY_STOP);
  if (!cursor.isAtEnd) throw syntaxError(`${shorten(text)} is not a column name`);
  const name = names.pop() ?? '';
  return { path: names, field: { name, path } };
}

/**
 * Parses the condition `[not.]operator.operand` on a field. `text` is the part before the operand; without a slot it is
 * the whole condition, as in `is.null`. Throws PGRST100.
 */
export function parseCondition(
  field: FieldName,
  text: string,
  slot: number | undefined,
): FilterTree<ParsedCondition> {
  const isNegated = text.startsWith('not.');
  const positive = isNegated ? text.slice(4) : text;
  // A parameter of a function may have no operator; then its whole value is the operand.
  if (positive === '') {
    throw syntaxError(`the filter on ${shorten(field.name)} is not operator.value`);
  }
  const test = slot === undefined ? parseIs(positive, field) : parseTest(positive, slot);
  const leaf = { kind: 'leaf', leaf: { field, test } } as const;
  return isNegated ? { kind: 'not', node: leaf } : leaf;
}

function parseIs(text: string, { name }: FieldName): Test {
  if (!text.startsWith('is.')) {
    throw syntaxError(`"${shorten(text)}" in the filter on ${shorten(name)} is not operator.value`);
  }
  const keyword = text.slice(3).trim().toLowerCase();
  if (isKeyword(keyword)) return { kind: 'is', keyword };
  const words = Object.keys(IS_TESTS).join(', ');
  throw syntaxError(`is.${shorten(keyword)} is unknown; is takes ${words}`);
}

/** Whether `text` is one of the keywords of `is`, in lower case. */
export function isKeyword(text: string): text is IsKeyword {
  return Object.hasOwn(IS_TESTS, text);
}

const OPERATORS: readonly string[] = [
  ...Object.keys(COMPARISONS),
  ...Object.keys(TEXT_SEARCHES),
  'in',
  'is',
];

function parseTest(text: string, slot: number): Test {
  const match = OPERATOR.exec(text);
  const operator = match?.[1] ?? '';
  const modifier = match?.[2];
  if (operator === 'in' && modifier === undefined) return { kind: 'in', slot };
  if (isTextSearch(operator))
    return { kind: 'search', operator, config: checkConfig(modifier), slot };
  if (!isComparison(operator)) {
    throw syntaxError(
      `the operator ${shorten(text)} is unknown; use one of ${OPERATORS.join(', ')}`,
    );
  }
  return { kind: 'compare', operator, quantifier: parseQuantifier(operator, modifier), slot };
}

/** Whether `word` is an operator of filters. */
export function isOperator(word: string): boolean {
  return isComparison(word) || isTextSearch(word) || word === 'in' || word === 'is';
}

function isComparison(text: string): text is Comparison {
  return Object.hasOwn(COMPARISONS, text);
}

function isTextSearch(text: string): text is TextSearch {
  return Object.hasOwn(TEXT_SEARCHES, text);
}

function checkConfig(config: string | undefined): string | undefined {
  if (config === undefined || CONFIG.test(config)) return config;
  throw syntaxError(`"${shorten(config)}" is not a text search configuration`);
}

function parseQuantifier(
  operator: Comparison,
  modifier: string | undefined,
): 'any' | 'all' | undefined {
  if (modifier === undefined) return undefined;
  const isQuantifier = modifier === 'any' || modifier === 'all';
  if (isQuantifier && COMPARISONS[operator].takesQuantifier) return modifier;
  throw syntaxError(`${operator}(${shorten(modifier)}) is unknown`);
}
