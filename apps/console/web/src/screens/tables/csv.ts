// A CSV file on its way into a table: which column of the file fills which column of the table, what its values look
// like, and which lines cannot be values.
import { counted } from '../../ui/counted.js';
import type { SchemaColumn, SchemaTable } from '../project/schema.js';
import { hasEmptyText, kindOf, problemOfText } from './value-kinds.js';

/** A file after its first line was taken as the names of its columns. */
export interface CsvFile {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The position of a column in the file by the column of the table that it fills. */
export type Mapping = ReadonlyMap<string, number>;

const guesses = [
  { name: 'whole numbers', of: { type: 'bigint', baseType: 'bigint', enumValues: null } },
  { name: 'numbers', of: { type: 'numeric', baseType: 'numeric', enumValues: null } },
  { name: 'true or false', of: { type: 'boolean', baseType: 'boolean', enumValues: null } },
  { name: 'UUIDs', of: { type: 'uuid', baseType: 'uuid', enumValues: null } },
  { name: 'dates', of: { type: 'date', baseType: 'date', enumValues: null } },
  {
    name: 'times with a zone',
    of: {
      type: 'timestamp with time zone',
      baseType: 'timestamp with time zone',
      enumValues: null,
    },
  },
] as const;
const guessedFrom = 500;

/** What the values of a column of the file look like; empty fields say nothing. */
export function guessOf({ rows }: CsvFile, position: number): string {
  const texts = rows
    .slice(0, guessedFrom)
    .map((row) => row[position] ?? '')
    .filter((text) => text !== '');
  if (texts.length === 0) return 'empty';
  const found = guesses.find(({ of }) => texts.every((text) => !problemOfText(of, text)));
  if (found) return found.name;
  return texts.every((text) => /^[[{]/.test(text) && isJson(text)) ? 'JSON' : 'text';
}

function isJson(text: string): boolean {
  const json = { type: 'json', baseType: 'json', enumValues: null };
  return problemOfText(json, text) === undefined;
}

/** Columns that a file may fill: the database computes the others. */
export function fillable({ columns }: SchemaTable): readonly SchemaColumn[] {
  return columns.filter(({ isGenerated, identity }) => !isGenerated && !isAlways(identity));
}

const isAlways = (identity: string | null): boolean => identity?.toLowerCase() === 'always';

/** Columns of the same name, whatever the case and the marks between words are. */
export function guessMapping({ names }: CsvFile, table: SchemaTable): Mapping {
  const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const found = fillable(table).map(({ name }): readonly [string, number] => [
    name,
    names.findIndex((candidate) => plain(candidate) === plain(name)),
  ]);
  return new Map(found.filter(([, position]) => position >= 0));
}

/** A field as a value: an empty one is NULL, or an empty text where NULL is not possible. */
function csvValue(column: SchemaColumn, text: string): string | null {
  if (text !== '') return text;
  return hasEmptyText(kindOf(column)) && !column.isNullable ? '' : null;
}

interface CsvProblem {
  /** As an editor numbers the lines of the file, if no field has several lines: the names are line 1. */
  readonly line: number;
  readonly column: string | undefined;
  readonly reason: string;
}

const shownProblems = 100;

/** What is wrong with the fields, by line; at most 100. */
export function problemsOf(
  file: CsvFile,
  mapping: Mapping,
  table: SchemaTable,
): readonly CsvProblem[] {
  const problems: CsvProblem[] = [];
  for (const [index, row] of file.rows.entries()) {
    if (problems.length >= shownProblems) break;
    const line = index + 2;
    if (row.length !== file.names.length) {
      const reason = `Has ${counted(row.length, 'field')}; the first line has ${file.names.length}`;
      problems.push({ line, column: undefined, reason });
      continue;
    }
    for (const column of table.columns) {
      const position = mapping.get(column.name);
      if (position === undefined) continue;
      const reason = problemOfField(column, row[position] ?? '');
      if (reason !== undefined) problems.push({ line, column: column.name, reason });
    }
  }
  return problems.slice(0, shownProblems);
}

function problemOfField(column: SchemaColumn, text: string): string | undefined {
  const value = csvValue(column, text);
  if (value !== null) return problemOfText(column, value);
  return column.isNullable ? undefined : 'Must not be empty';
}

/** Columns that need a value, have no default, and are not filled. */
export function missingColumns(mapping: Mapping, table: SchemaTable): readonly string[] {
  return fillable(table)
    .filter((column) => !column.isNullable && column.default === null && column.identity === null)
    .map(({ name }) => name)
    .filter((name) => !mapping.has(name));
}

/** Rows as the JSON of a request. JSON columns get their text as it is: it may have an order of keys. */
export function bodyOf(
  rows: readonly (readonly string[])[],
  mapping: Mapping,
  table: SchemaTable,
): string {
  const filled = table.columns.flatMap((column) => {
    const position = mapping.get(column.name);
    return position === undefined ? [] : [{ column, position, isJson: kindOf(column) === 'json' }];
  });
  const objects = rows.map((row) => {
    const fields = filled.map(({ column, position, isJson: isRaw }) => {
      const value = csvValue(column, row[position] ?? '');
      const text = isRaw && value !== null ? value : JSON.stringify(value);
      return `${JSON.stringify(column.name)}:${text}`;
    });
    return `{${fields.join(',')}}`;
  });
  return `[${objects.join(',')}]`;
}

/** Rows cut into parts whose JSON has at most about `maxChars` characters. */
export function partsOf(
  rows: readonly (readonly string[])[],
  maxChars: number,
): readonly (readonly (readonly string[])[])[] {
  const parts: (readonly string[])[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    // Quotes, names of columns and characters of several bytes take room, too.
    const length = row.reduce((sum, text) => sum + text.length * 2 + 40, 0);
    if (size + length > maxChars) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(row);
    size += length;
  }
  return parts;
}
