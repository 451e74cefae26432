// `match`: columns and the values that they equal. Values become filters of the query string; references to earlier
// results cannot, because their value is known only while the batch runs.
import { isRecord } from '#libs/wire';
import { shorten } from '../parse/names.js';
import type { BatchPlace } from '../types/grammar.js';
import { entriesOf, refusal, type OperationText, type WriteMethod } from './field.js';
import { parameter } from './query.js';
import { rawMembers } from './raw-json.js';
import { parsePointer, pointerOf } from './references.js';

interface Match {
  /** Parameters of a query string: `id=eq.5`, `owner=is.null`. */
  readonly filters: readonly string[];
  readonly references: BatchPlace['matches'];
}

const NOTHING: Match = { filters: [], references: [] };

/** Throws INVALID_INPUT, naming the field. */
export function readMatch(
  { fields, raw, path, earlier }: OperationText,
  method: WriteMethod,
): Match {
  const value = fields.get('match');
  const field = `${path}.match`;
  if (value === undefined) return NOTHING;
  if (method === 'POST') throw refusal(field, 'POST takes none');
  if (!isRecord(value)) throw refusal(field, 'must be an object of columns');
  const texts = rawMembers(raw.get('match')?.toString('utf8') ?? '{}');
  const filters: string[] = [];
  const references: BatchPlace['matches'][number][] = [];
  for (const [column, columnValue] of entriesOf(value)) {
    const name = `${field}.${shorten(column)}`;
    const pointer = pointerOf(columnValue);
    if (pointer !== undefined) {
      references.push({ column, reference: parsePointer(pointer, name, earlier) });
    } else if (columnValue === null) filters.push(parameter(quoted(column), 'is.null', name));
    else if (typeof columnValue === 'object') {
      throw refusal(name, 'must be a text, a number, true, false, null or a reference');
    } else {
      // A number as it was written: it may have more digits than JavaScript keeps.
      const text = typeof columnValue === 'string' ? columnValue : (texts.get(column) ?? '');
      filters.push(parameter(quoted(column), `eq.${text}`, name));
    }
  }
  return { filters, references };
}

/** A quoted name can only be a column: not a path, not a parameter of the routes. */
function quoted(column: string): string {
  return `"${column.replace(/["\\]/g, '\\$&')}"`;
}
