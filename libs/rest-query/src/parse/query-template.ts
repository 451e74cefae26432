// A raw query string is split once into the part that decides the statement (the key) and the values (operands and the
// offset). The parser reads only the key, so requests with equal keys have equal plans by construction, and the
// compiler can look a plan up by the key alone.
import { fail } from '#libs/errors';
import { decodeComponent } from '#libs/wire';
import type { Resource } from '../types/request.js';
import { isKeyword, isOperator } from './filter.js';
import { FIELD_END, OPERAND, SOME_OFFSET } from './key.js';
import { MAX_QUERY_LENGTH } from './limits.js';
import { checkLimit, shorten } from './names.js';
import { cutTree } from './tree-operands.js';
import { parseOffset } from './window.js';

/** A query string, split into its key and its values. */
export interface QueryTemplate {
  /** For each parameter its name and its text, each ended by a mark; see `key.ts`. */
  readonly key: string;
  /** Operands by slot, decoded, in the order of the query string. */
  readonly operands: readonly string[];
  /** How many of the outermost rows to skip. */
  readonly offset: number;
  /** Whether the outermost rows have a limit or an offset, even 0. */
  readonly hasWindow: boolean;
}

export interface TemplateParameter {
  readonly name: string;
  /** The value, with a mark for each operand that was taken out. */
  readonly text: string;
  /** Slot of the first operand of the text, or of the next parameter that has one. */
  readonly firstSlot: number;
}

/**
 * The kind of a parameter. `literal`: its text decides the statement. `offset`: of the outermost rows. `tree`: a logic
 * tree. `filter`: a filter of a column or an argument of a function.
 */
type ParameterKind = 'literal' | 'limit' | 'offset' | 'tree' | 'filter';

const KIND_BY_NAME: ReadonlyMap<string, ParameterKind> = new Map<string, ParameterKind>([
  ['select', 'literal'],
  ['order', 'literal'],
  ['limit', 'limit'],
  ['offset', 'offset'],
  ['and', 'tree'],
  ['or', 'tree'],
]);
/** Functions do not use them, and may have arguments with these names. */
const TABLE_NAMES: ReadonlySet<string> = new Set(['on_conflict', 'columns']);
/**
 * Names that mean something else than a column, an argument or an embed unless they are quoted: the parameters of the
 * routes, and the word that negates a logic tree (`not.or`).
 */
export const RESERVED_NAMES: readonly string[] = [...KIND_BY_NAME.keys(), ...TABLE_NAMES, 'not'];
const EMBEDDED_LITERAL = /\.(?:order|limit|offset)$/;
const NEGATED_OR_EMBEDDED_TREE = /\.(?:and|or)$/;

/** Whether a parameter with this name is neither a filter nor an argument. */
export function isReserved(name: string, resource: Resource['kind']): boolean {
  return kindOf(name, resource) !== 'filter';
}

function kindOf(name: string, resource: Resource['kind']): ParameterKind {
  const kind = KIND_BY_NAME.get(name);
  if (kind) return kind;
  if (resource === 'table' && TABLE_NAMES.has(name)) return 'literal';
  if (!name.includes('.')) return 'filter';
  const bare = name.includes('"') ? outsideQuotes(name) : name;
  // After `->` a dot belongs to a key, and embeds do not contain `->`.
  if (bare.includes('->')) return 'filter';
  if (EMBEDDED_LITERAL.test(bare)) return 'literal';
  return NEGATED_OR_EMBEDDED_TREE.test(bare) ? 'tree' : 'filter';
}

function outsideQuotes(name: string): string {
  let bare = '';
  let isQuoted = false;
  for (let i = 0; i < name.length; i++) {
    const character = name.charAt(i);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') i++;
    else if (!isQuoted) bare += character;
  }
  return bare;
}

/**
 * Splits a query string (percent-encoded, without `?`) into its key and its values. Throws PGRST100 for broken
 * percent-encoding, text that is not UTF-8, NUL, an invalid offset, and a string that is too long.
 */
export function templateOf(queryString: string, resource: Resource['kind']): QueryTemplate {
  checkLimit(queryString.length, MAX_QUERY_LENGTH, 'characters');
  const query = encodeRawBytes(queryString);
  const operands: string[] = [];
  let key = '';
  let offset = 0;
  let hasWindow = false;
  let start = 0;
  while (start < query.length) {
    let end = query.indexOf('&', start);
    if (end === -1) end = query.length;
    if (end > start) {
      const equals = query.indexOf('=', start);
      const nameEnd = equals === -1 || equals > end ? end : equals;
      const name = decode(query.slice(start, nameEnd));
      const value = decode(query.slice(nameEnd + 1, end));
      const kind = kindOf(name, resource);
      if (kind === 'limit' || kind === 'offset') hasWindow = true;
      if (kind === 'offset') offset = parseOffset(value);
      const text = kind === 'offset' ? offsetKey(offset) : textKey(value, kind, resource, operands);
      key += name + FIELD_END + text + FIELD_END;
    }
    start = end + 1;
  }
  return { key, operands, offset, hasWindow };
}

function offsetKey(offset: number): string {
  return offset > 0 ? SOME_OFFSET : '';
}

/** Appends the operands of the value to `operands` and returns the rest. */
function textKey(
  value: string,
  kind: ParameterKind,
  resource: Resource['kind'],
  operands: string[],
): string {
  if (kind === 'tree') return cutTree(value, operands);
  if (kind !== 'filter') return value;
  const cut = resource === 'table' ? operandStart(value) : argumentStart(value);
  if (cut === undefined) return value;
  operands.push(value.slice(cut));
  return value.slice(0, cut) + OPERAND;
}

/** The parameters in a key of {@link templateOf}, in order. */
export function parametersOfKey(key: string): readonly TemplateParameter[] {
  const fields = key.split(FIELD_END);
  const parameters: TemplateParameter[] = [];
  let firstSlot = 0;
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const text = fields[i + 1] ?? '';
    parameters.push({ name: fields[i] ?? '', text, firstSlot });
    firstSlot += text.split(OPERAND).length - 1;
  }
  return parameters;
}

/**
 * Where the operand of `[not.]operator[(…)].operand` begins; undefined if the text has no operator or no operand, like
 * `is.null`: `is` takes a keyword, never a value.
 */
function operandStart(value: string): number | undefined {
  const operator = value.startsWith('not.') ? 4 : 0;
  const dot = value.indexOf('.', operator);
  if (dot === -1) return undefined;
  if (dot === operator + 2 && value.startsWith('is', operator)) return undefined;
  const parenthesis = value.indexOf('(', operator);
  if (parenthesis === -1 || parenthesis > dot) return dot + 1;
  const closing = value.indexOf(').', parenthesis);
  return closing === -1 ? undefined : closing + 2;
}

const OPERATOR = /^(?:not\.)?([a-z]+)(?:\([^()]*\))?\./;

/**
 * The same for a parameter of a function, which may be an argument of any text: without a known operator the whole text
 * is the operand.
 */
function argumentStart(value: string): number | undefined {
  const match = OPERATOR.exec(value);
  if (!match || !isOperator(match[1] ?? '')) return 0;
  if (match[1] !== 'is') return match[0].length;
  return isKeyword(value.slice(match[0].length).toLowerCase()) ? undefined : 0;
}

// Node's HTTP parser passes bytes above 127 on as Latin-1 characters. They are percent-encoded first, so that one
// decoder checks whether they are UTF-8.
function encodeRawBytes(query: string): string {
  if (query.includes('\0')) throw fail('PGRST100', { reason: 'NUL is not allowed' });
  // oxlint-disable-next-line no-control-regex -- the range covers everything that is not ASCII
  return /^[\x00-\x7f]*$/.test(query)
    ? query
    : query.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  const decoded = decodeComponent(spaced);
  if (decoded === undefined) {
    throw fail('PGRST100', { reason: `${shorten(text)} is not percent-encoded UTF-8` });
  }
  if (decoded.includes('\0')) throw fail('PGRST100', { reason: 'NUL is not allowed' });
  return decoded;
}
