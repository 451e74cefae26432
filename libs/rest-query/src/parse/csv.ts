import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';

interface CsvField {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The rows of a CSV body as JSON, and their keys. */
export interface CsvRows {
  readonly keys: readonly string[];
  /** A JSON array of objects whose values are texts or null. */
  readonly json: string;
}

const END_OF_PLAIN = /[,\r\n]/g;
const END_OF_FIELD = /,|\r?\n|$/y;

/**
 * Reads CSV (RFC 4180) with a header row. An empty field and the word NULL are null unless they are quoted,
 * as in what COPY and this API write. Throws PGRST102.
 */
export function readCsv(text: string): CsvRows {
  const [header, ...rows] = readRecords(text.replace(/^\uFEFF/, ''));
  if (!header) throw fail('PGRST102', { reason: 'it is empty' });
  const keys = header.map((field) => field.text);
  if (new Set(keys).size < keys.length) throw invalid('a column is named twice');
  if (keys.includes('')) throw invalid('a column has no name');
  const names = keys.map((key) => JSON.stringify(key));
  const objects = rows.map((row, i) => {
    if (row.length !== keys.length) throw invalid(`row ${i + 1} has not ${keys.length} fields`);
    return `{${row.map((field, k) => `${names[k]}:${valueOf(field)}`).join(',')}}`;
  });
  return { keys, json: `[${objects.join(',')}]` };
}

function valueOf({ text, isQuoted }: CsvField): string {
  return !isQuoted && (text === '' || text === 'NULL') ? 'null' : JSON.stringify(text);
}

function readRecords(text: string): readonly (readonly CsvField[])[] {
  const records: CsvField[][] = [];
  let record: CsvField[] = [];
  for (let at = 0; at < text.length || record.length > 0;) {
    const { field, end } = readField(text, at);
    record.push(field);
    END_OF_FIELD.lastIndex = end;
    const separator = END_OF_FIELD.exec(text)?.[0];
    if (separator === undefined) throw invalid(`row ${records.length} has a quote out of place`);
    at = end + separator.length;
    if (separator === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

function readField(text: string, at: number): { readonly field: CsvField; readonly end: number } {
  if (text.charAt(at) !== '"') {
    END_OF_PLAIN.lastIndex = at;
    const end = END_OF_PLAIN.exec(text)?.index ?? text.length;
    return { field: { text: text.slice(at, end), isQuoted: false }, end };
  }
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && text.charAt(end + 1) === '"') end = text.indexOf('"', end + 2);
  if (end === -1) throw invalid('a quote is not closed');
  const quoted = text.slice(at + 1, end).replaceAll('""', '"');
  return { field: { text: quoted, isQuoted: true }, end: end + 1 };
}

function invalid(reason: string): AppError {
  return fail('PGRST102', { reason: `it is no CSV: ${reason}` });
}
