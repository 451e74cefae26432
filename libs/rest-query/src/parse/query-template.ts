// A raw query string is split once into what decides the statement (the key) and the values of the
// filters (the operands). The parser reads nothing but the key, so two requests with equal keys have
// equal plans by construction, and the compiler may look a plan up by the key alone.
import { fail } from '#libs/errors';

/** What a query string means, without and with its values. */
export interface QueryTemplate {
  /**
   * For each parameter three fields, each closed by NUL: its name, its text without the operand, and
   * `$` when an operand was taken out. NUL occurs in no field, because a request with NUL is refused.
   */
  readonly key: string;
  /** Operands by slot, decoded, in the order of the query string. */
  readonly operands: readonly string[];
}

export interface TemplateParameter {
  readonly name: string;
  /** The whole value, or what stands before the operand: `not.eq.`. */
  readonly text: string;
  readonly slot: number | undefined;
}

/** Parameters that are no column filters. Their text is part of the key. */
const RESERVED: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'on_conflict',
  'columns',
  'and',
  'or',
  'not.and',
  'not.or',
]);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/**
 * Splits a query string (percent-encoded, without `?`) into its key and its operands.
 * Throws PGRST100 for broken percent-encoding, text that is not UTF-8, and NUL.
 */
export function templateOf(queryString: string): QueryTemplate {
  const query = encodeRawBytes(queryString);
  const operands: string[] = [];
  let key = '';
  let start = 0;
  while (start < query.length) {
    let end = query.indexOf('&', start);
    if (end === -1) end = query.length;
    if (end > start) {
      const equals = query.indexOf('=', start);
      const nameEnd = equals === -1 || equals > end ? end : equals;
      const name = decode(query.slice(start, nameEnd));
      const value = decode(query.slice(nameEnd + 1, end));
      const cut = RESERVED.has(name) ? -1 : operandStart(value);
      if (cut === -1) {
        key += `${name}\0${value}\0\0`;
      } else {
        key += `${name}\0${value.slice(0, cut)}\0$\0`;
        operands.push(value.slice(cut));
      }
    }
    start = end + 1;
  }
  return { key, operands };
}

/** The parameters behind a key of {@link templateOf}; slots count up in the order of the parameters. */
export function parametersOfKey(key: string): readonly TemplateParameter[] {
  const fields = key.split('\0');
  const parameters: TemplateParameter[] = [];
  let nextSlot = 0;
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const slot = fields[i + 2] === '$' ? nextSlot++ : undefined;
    parameters.push({ name: fields[i] ?? '', text: fields[i + 1] ?? '', slot });
  }
  return parameters;
}

/**
 * Where the operand of `[not.]operator[(…)].operand` begins; -1 when the text has no operator or is
 * structure from end to end, like `is.null`: IS takes a keyword, never a value.
 */
function operandStart(value: string): number {
  const operator = value.startsWith('not.') ? 4 : 0;
  const dot = value.indexOf('.', operator);
  if (dot === -1) return -1;
  const isKeywordTest = dot === operator + 2 && value.startsWith('is', operator);
  return isKeywordTest ? -1 : dot + 1;
}

// Node's HTTP parser hands bytes above 127 over as Latin-1 characters. Percent-encoding them first
// lets one decoder judge whether they are UTF-8.
function encodeRawBytes(query: string): string {
  if (query.includes('\0')) throw fail('PGRST100', { reason: 'NUL is not allowed' });
  // oxlint-disable-next-line no-control-regex -- the range is the point: all that is not ASCII
  return /^[\x00-\x7f]*$/.test(query)
    ? query
    : query.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  let decoded: string;
  try {
    decoded = decodeURIComponent(spaced);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw fail('PGRST100', { reason: `${shorten(text)} is not percent-encoded UTF-8` }, { cause });
  }
  if (decoded.includes('\0')) throw fail('PGRST100', { reason: 'NUL is not allowed' });
  return decoded;
}

/** Text of a request as it is quoted in a message: at most 60 characters of it. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
