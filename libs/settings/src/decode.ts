import type {
  IntegerField,
  LeafField,
  ListField,
  SecretField,
  TextField,
  TextFormat,
} from './field.js';
import { formatProblem } from './formats.js';
import type { UnopenedSecret } from './secrets.js';

/** The value of a leaf; texts and secrets without a value are undefined. */
export type LeafValue = boolean | number | string | readonly string[] | undefined;

/** The value of a field. */
export type FieldValue = LeafValue | UnopenedSecret | ObjectValue | readonly ObjectValue[];

/** The values of fields, by their names. */
export interface ObjectValue {
  readonly [name: string]: FieldValue;
}

export type Decoded =
  | { readonly ok: true; readonly value: LeafValue }
  /** `reason` is the end of the sentence "<field>: …". */
  | { readonly ok: false; readonly reason: string };

const accept = (value: LeafValue): Decoded => ({ ok: true, value });
const refuse = (reason: string): Decoded => ({ ok: false, reason });

/**
 * Decodes a JSON value as the value of a leaf. A value outside the limits is refused, unless its field has a `clamp`.
 */
export function decodeLeaf(field: LeafField, value: unknown): Decoded {
  switch (field.kind) {
    case 'flag':
      return typeof value === 'boolean' ? accept(value) : refuse('must be true or false');
    case 'integer':
      return decodeInteger(field, value);
    case 'text':
      return decodeText(field, value);
    case 'secret':
      return decodeText(field, value);
    case 'choice':
      return typeof value === 'string' && field.of.includes(value)
        ? accept(value)
        : refuse(`must be one of ${field.of.join(', ')}`);
    case 'list':
      return decodeList(field, value);
  }
}

/** Decodes an environment variable as the value of a leaf: `true`/`false`, digits, or entries separated by commas. */
export function decodeEnvText(field: LeafField, value: string): Decoded {
  const trimmed = value.trim();
  switch (field.kind) {
    case 'flag':
      return /^(true|false)$/i.test(trimmed)
        ? accept(trimmed.toLowerCase() === 'true')
        : refuse('must be true or false');
    case 'integer':
      return decodeLeaf(field, /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined);
    case 'list': {
      const entries = trimmed.split(',').map((entry) => entry.trim());
      return decodeLeaf(
        field,
        entries.filter((entry) => entry !== ''),
      );
    }
    case 'text':
    case 'choice':
      return decodeLeaf(field, trimmed);
    case 'secret':
      return decodeLeaf(field, value);
  }
}

function decodeInteger(field: IntegerField, value: unknown): Decoded {
  const { clamp, range } = field;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return refuse('must be a whole number');
  }
  if (range && (value < range[0] || value > range[1])) {
    return refuse(`must be between ${range[0]} and ${range[1]}`);
  }
  return accept(clamp ? Math.min(Math.max(value, clamp[0]), clamp[1]) : value);
}

function decodeText(field: TextField | SecretField, value: unknown): Decoded {
  if (typeof value !== 'string') return refuse('must be a text');
  const problem = textProblem(value, field);
  return problem === undefined ? accept(value) : refuse(problem);
}

function decodeList(field: ListField, value: unknown): Decoded {
  if (!Array.isArray(value)) return refuse('must be a list of texts');
  if (value.length > field.maxItems) return refuse(`must have at most ${field.maxItems} entries`);
  const entries = new Set<string>();
  for (const [index, entry] of value.entries()) {
    if (typeof entry !== 'string') return refuse(`entry ${index + 1} must be a text`);
    const problem = textProblem(entry, field) ?? wordProblem(entry, field);
    if (problem !== undefined) return refuse(`entry ${index + 1} ${problem}`);
    entries.add(entry);
  }
  return accept([...entries]);
}

interface TextRules {
  readonly maxLength: number;
  readonly format?: TextFormat;
  readonly multiline?: boolean;
}

function textProblem(value: string, rules: TextRules): string | undefined {
  if (value.trim() === '') return 'must not be empty; leave it out to unset it';
  if (value.length > rules.maxLength) return `must have at most ${rules.maxLength} characters`;
  // A line break in a host or a sender would reach a line-based protocol such as SMTP.
  const unwanted = rules.multiline === true ? /[^\P{Cc}\t\n\r]/u : /\p{Cc}/u;
  if (unwanted.test(value)) return 'must not contain control characters';
  // jsonb cannot store half of a surrogate pair.
  if (/\p{Cs}/u.test(value)) return 'must be well-formed Unicode';
  return rules.format && formatProblem(rules.format, value);
}

function wordProblem(value: string, { of }: ListField): string | undefined {
  return of === undefined || of.includes(value) ? undefined : `must be one of ${of.join(', ')}`;
}
