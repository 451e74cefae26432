import {
  COMPARISONS,
  type Comparison,
  type FilterNode,
  type IsKeyword,
  type Test,
} from '../types.js';
import { notSupported, readName, syntaxError } from './names.js';
import { shorten, type TemplateParameter } from './query-template.js';

const IS_KEYWORDS: ReadonlySet<string> = new Set<IsKeyword>([
  'null',
  'not_null',
  'true',
  'false',
  'unknown',
]);
const LATER_OPERATORS: ReadonlySet<string> = new Set([
  'fts',
  'plfts',
  'phfts',
  'wfts',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxr',
  'nxl',
  'adj',
]);
const QUANTIFIABLE: ReadonlySet<string> = new Set<Comparison>([
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
]);
const OPERATOR = /^([a-z]+)(?:\(([^)]*)\))?\.$/;

/** The filter of one parameter, `column=[not.]operator.operand`. Throws PGRST100. */
export function parseFilter(parameter: TemplateParameter): FilterNode<string> {
  const field = parseField(parameter.name);
  const isNegated = parameter.text.startsWith('not.');
  const text = isNegated ? parameter.text.slice(4) : parameter.text;
  const test =
    parameter.slot === undefined ? parseIs(text, parameter) : parseTest(text, parameter.slot);
  const condition: FilterNode<string> = { kind: 'condition', field, test };
  return isNegated ? { kind: 'not', node: condition } : condition;
}

function parseField(text: string): string {
  const name = readName(text, 0, '.-');
  if (name.isQuoted && name.end === text.length) return name.text;
  if (text.includes('->')) throw notSupported('Filters on JSON paths', text);
  if (text.includes('.')) throw notSupported('Filters on embedded resources', text);
  const field = text.trim();
  if (field === '') throw syntaxError('a parameter has no name');
  return field;
}

function parseIs(text: string, { name }: TemplateParameter): Test {
  if (!text.startsWith('is.')) {
    throw syntaxError(
      `"${shorten(text)}" is not operator.value, in the filter on ${shorten(name)}`,
    );
  }
  const keyword = text.slice(3).toLowerCase();
  if (isKeyword(keyword)) return { kind: 'is', keyword };
  throw syntaxError(
    `is.${shorten(keyword)} is unknown; is takes null, not_null, true, false, unknown`,
  );
}

function isKeyword(text: string): text is IsKeyword {
  return IS_KEYWORDS.has(text);
}

function parseTest(text: string, slot: number): Test {
  const match = OPERATOR.exec(text);
  const operator = match?.[1] ?? '';
  const modifier = match?.[2];
  if (LATER_OPERATORS.has(operator))
    throw notSupported(`The operator ${operator} and its kind`, text);
  if (operator === 'in' && modifier === undefined) return { kind: 'in', slot };
  if (!isComparison(operator)) throw syntaxError(`the operator ${shorten(text)} is unknown`);
  return { kind: 'compare', operator, quantifier: parseQuantifier(operator, modifier), slot };
}

function isComparison(text: string): text is Comparison {
  return Object.hasOwn(COMPARISONS, text);
}

function parseQuantifier(
  operator: Comparison,
  modifier: string | undefined,
): 'any' | 'all' | undefined {
  if (modifier === undefined) return undefined;
  if ((modifier === 'any' || modifier === 'all') && QUANTIFIABLE.has(operator)) return modifier;
  throw syntaxError(`${operator}(${shorten(modifier)}) is unknown`);
}
