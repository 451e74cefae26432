import type { Field, ListField } from './field.js';
import { formatProblem } from './formats.js';

/** What a field holds; absent texts and secrets are undefined. */
export type FieldValue = boolean | number | string | readonly string[] | undefined;

export type Decoded =
  | { readonly ok: true; readonly value: FieldValue }
  /** `reason` reads as the end of "<field>: …". */
  | { readonly ok: false; readonly reason: string };

const accept = (value: FieldValue): Decoded => ({ ok: true, value });
const refuse = (reason: string): Decoded => ({ ok: false, reason });

/** A JSON value as the value of a field. Integers are clamped here; everything else that is out of limits is refused. */
export function decodeField(field: Field, value: unknown): Decoded {
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

/** An environment variable as the value of a field: `true`/`false`, digits, or entries parted by commas. */
export function decodeEnvText(field: Field, value: string): Decoded {
  const trimmed = value.trim();
  switch (field.kind) {
    case 'flag':
      return /^(true|false)$/i.test(trimmed)
        ? accept(trimmed.toLowerCase() === 'true')
        : refuse('must be true or false');
    case 'integer':
      return decodeField(field, /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined);
    case 'list': {
      const entries = trimmed.split(',').map((entry) => entry.trim());
      return decodeField(
        field,
        entries.filter((entry) => entry !== ''),
      );
    }
    case 'text':
    case 'choice':
      return decodeField(field, trimmed);
    case 'secret':
      return decodeField(field, value);
  }
}

function decodeInteger(field: Extract<Field, { kind: 'integer' }>, value: unknown): Decoded {
  const { clamp, range } = field;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return refuse('must be a whole number');
  }
  if (range && (value < range[0] || value > range[1])) {
    return refuse(`must be between ${range[0]} and ${range[1]}`);
  }
  return accept(clamp ? Math.min(Math.max(value, clamp[0]), clamp[1]) : value);
}

function decodeText(field: Extract<Field, { kind: 'text' | 'secret' }>, value: unknown): Decoded {
  if (typeof value !== 'string') return refuse('must be a text');
  const problem = textProblem(value, field.maxLength);
  if (problem !== undefined) return refuse(problem);
  const format = field.kind === 'text' ? field.format : undefined;
  const formatting = format && formatProblem(format, value);
  return formatting === undefined ? accept(value) : refuse(formatting);
}

function decodeList(field: ListField, value: unknown): Decoded {
  if (!Array.isArray(value)) return refuse('must be a list of texts');
  if (value.length > field.maxItems) return refuse(`must have at most ${field.maxItems} entries`);
  const entries = new Set<string>();
  for (const [index, entry] of value.entries()) {
    if (typeof entry !== 'string') return refuse(`entry ${index + 1} must be a text`);
    const problem =
      textProblem(entry, field.maxLength) ?? (field.format && formatProblem(field.format, entry));
    if (problem !== undefined) return refuse(`entry ${index + 1} ${problem}`);
    entries.add(entry);
  }
  return accept([...entries]);
}

function textProblem(value: string, maxLength: number): string | undefined {
  if (value.trim() === '') return 'must not be empty; leave it out to unset it';
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  // A line break in a host or a sender would end up in a protocol of lines, such as SMTP.
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters';
  return undefined;
}
