// Results as texts for other programs.
import { csvField, spreadsheetText } from '../../ui/csv.js';
import { isJson, isNumeric, type StatementResult } from './result.js';

type Table = Pick<StatementResult, 'fields' | 'rows'>;

/** Who reads a CSV file: a program takes the values as they are, a spreadsheet would calculate some. */
type CsvReader = 'spreadsheet' | 'program';

/** RFC 4180. Null is an empty field, an empty text a pair of quotes. */
export function csvOf({ fields, rows }: Table, reader: CsvReader): string {
  const field = (text: string | null): string => {
    if (text === null) return '';
    if (text === '') return '""';
    return csvField(reader === 'spreadsheet' ? spreadsheetText(text) : text);
  };
  const lines = [fields.map(({ name }) => field(name)), ...rows.map((row) => row.map(field))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** A list of objects. Numbers and JSON keep the digits that PostgreSQL has written. */
export function jsonOf({ fields, rows }: Table): string {
  const names = distinct(fields.map(({ name }) => name)).map((name) => JSON.stringify(name));
  const objects = rows.map((row) => {
    const members = row.map((text, index) => {
      const field = fields[index];
      return `${names[index] ?? '""'}: ${field ? jsonValue(field, text) : 'null'}`;
    });
    return `  { ${members.join(', ')} }`;
  });
  return objects.length === 0 ? '[]\n' : `[\n${objects.join(',\n')}\n]\n`;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function jsonValue(field: Table['fields'][number], text: string | null): string {
  if (text === null) return 'null';
  if (field.type === 'bool') return text === 't' ? 'true' : 'false';
  if (isJson(field)) return text;
  // Infinity and NaN are no numbers of JSON.
  return isNumeric(field) && jsonNumber.test(text) ? text : JSON.stringify(text);
}

/** Names of columns may come twice; members of an object may not. */
export function distinct(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; seen.has(free); count++) free = `${name}_${count}`;
    seen.add(free);
    return free;
  });
}
