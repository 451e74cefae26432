/**
 * Values as text of the REST grammar. Quotes have a different meaning in each context: none after `eq.`, around a value
 * inside `in.(..)` and `or=(..)`, around an element of an array literal, around a name in `columns`.
 */
import { toJson } from './body.js';

/** The query string of parameters. Characters that need no encoding in a query stay short and readable. */
export function encodeQuery(params: Iterable<readonly [string, string]>): string {
  return [...params].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** The query string of fields, with its question mark if there are any. Fields that are undefined are left out. */
export function queryText(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = encodeQuery(given.map(([name, value]) => [name, String(value)]));
  return text && `?${text}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2C|2F|3A|24|40)/g, decodeURIComponent);
}

/** A text in double quotes, with the escapes that names, lists and arrays share. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}

/** The server's list (`RESERVED_NAMES` of libs/rest-query), with which a test compares it. */
export const reservedNames: readonly string[] = [
  'select',
  'order',
  'limit',
  'offset',
  'and',
  'or',
  'on_conflict',
  'columns',
  'not',
];

/** A name that the server reads as a name and nothing else: in quotes unless it is a plain word. */
export function exactName(name: string): string {
  const isPlain = /^[\p{L}_$][\p{L}\p{N}\p{M}_$-]*$/u.test(name) && !reservedNames.includes(name);
  return isPlain ? name : quote(name);
}

/** The same, for a name that may be in quotes already. */
function nameText(name: string): string {
  return exactName(unquoted(name));
}

/** A name without the quotes around it. */
export function unquoted(name: string): string {
  const isQuoted = /^"(?:[^"\\]|\\.)*"$/s.test(name);
  return isQuoted ? name.slice(1, -1).replace(/\\(.)/gs, '$1') : name;
}

/** A column of an embed, or an embed within one: `author.name`. Names with a dot are in quotes already. */
export function pathText(path: string): string {
  return path.replace(/(?:"(?:[^"\\]|\\.)*"|[^.])+/gs, (name) => nameText(name));
}

/** A column, or a path into its JSON (`data->tags->>0`), in which numbers are indexes and all else is a name. */
export function fieldText(field: string, columnText = nameText): string {
  return field.replace(/->>?|(?:"(?:[^"\\]|\\.)*"|(?!->).)+/gs, (part, at: number) => {
    if (at === 0) return columnText(part);
    return /^->|^-?\d+$/.test(part) ? part : nameText(part);
  });
}

/** Names as the list for `columns` and `on_conflict`. */
export function nameList(names: Iterable<string>): string {
  return [...names].map(quote).join(',');
}

/** The text of one value: dates in ISO 8601, lists as array literals, other objects as JSON. */
export function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return arrayLiteral(value);
  const json = toJson(value);
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** An array literal of PostgreSQL (manual 8.15.2), nested like the value. */
export function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(arrayElement).join(',')}}`;
}

function arrayElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = valueText(value);
  const isPlain = Array.isArray(value) || (/^[\w.+*%-]+$/.test(text) && !/^null$/i.test(text));
  return isPlain ? text : quote(text);
}

/** The operand of `in`: `(a,"b,c")`. Equal values are sent once. */
export function valueList(values: readonly unknown[]): string {
  const texts = new Set(values.map(valueText));
  return `(${[...texts].map((text) => (/^[^\s,()"\\]+$/.test(text) ? text : quote(text))).join(',')})`;
}

/** The text after the operator: a list for `in`, else one value. Text is not changed. */
export function operand(operator: string, value: unknown): string {
  const isList = /(^|\.)in$/.test(operator) && Array.isArray(value);
  return isList ? valueList(value) : valueText(value);
}

/** The text of a `select` without blanks, except in quoted names. */
export function withoutBlanks(columns: string): string {
  return columns.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (match) => (match.startsWith('"') ? match : ''));
}

/** A condition inside `or` and `and`: text of the grammar, or parts that are quoted if needed. */
export type Condition =
  | string
  | readonly [column: string, operator: string, value: unknown]
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] };

/** A condition as text inside `or=(..)`. */
export function conditionText(condition: Condition): string {
  if (typeof condition === 'string') return condition;
  if ('and' in condition) return `and${conditionList(condition.and)}`;
  if ('or' in condition) return `or${conditionList(condition.or)}`;
  const [column, operator, value] = condition;
  const text = operand(operator, value);
  const isList = Array.isArray(value) && text.startsWith('(');
  const needsQuotes = !isList && /^$|[\s,(){}"\\]/.test(text);
  return `${fieldText(column)}.${operator}.${needsQuotes ? quote(text) : text}`;
}

/** Conditions in the parentheses of a logic tree. */
export function conditionList(conditions: readonly Condition[]): string {
  return `(${conditions.map(conditionText).join(',')})`;
}
