// A row that is not saved yet: where it is begun, and what it gets where no value is given.
import type { SchemaColumn } from '../project/schema.js';
import { isLarge, kindOf } from './value-kinds.js';

/**
 * The column that a new row is begun in: the first column that a cell of the grid edits and that has no default of its
 * own, or else the first column that a cell edits. Undefined if there is none.
 */
export function firstColumnOf(shown: readonly SchemaColumn[]): string | undefined {
  const edited = shown.filter((column) => !column.isGenerated && !isLarge(kindOf(column)));
  const isEmpty = (column: SchemaColumn): boolean =>
    column.default === null && column.identity === null;
  return (edited.find(isEmpty) ?? edited[0])?.name;
}

interface Untouched {
  /** What the cell shows in place of a value. */
  readonly word: string;
  /** The same in a sentence. */
  readonly help: string;
  /** Whether the row is refused until a value is given. */
  readonly isMissing: boolean;
}

/** The whole default, or a part of it. */
const onlyUserId = /^\(*auth\.uid\(\)\)*(?:::[\w ]+)?$/;
const hasUserId = /\bauth\.uid\(\)/;
const noUserId =
  'auth.uid() is the id of the user who writes. An operator has no user id, so it is NULL for rows that are saved here.';

/** What a column gets in a new row that gives it no value: the insert leaves the column out. */
export function untouched(column: SchemaColumn): Untouched {
  const { name, default: expression, isNullable, isGenerated, identity } = column;
  if (isGenerated) {
    return { word: 'computed', help: `Computed: ${expression ?? ''}`, isMissing: false };
  }
  if (identity !== null) {
    return { word: 'default', help: 'The database numbers the row.', isMissing: false };
  }
  const missing = { word: 'needs a value', isMissing: true };
  if (expression === null) {
    return isNullable
      ? {
          word: 'NULL',
          help: 'Without a value and without a default it is NULL.',
          isMissing: false,
        }
      : { ...missing, help: `${name} is not null and has no default.` };
  }
  if (onlyUserId.test(expression)) {
    return isNullable
      ? { word: 'default: NULL', help: `${noUserId} Give the id of a user.`, isMissing: false }
      : { ...missing, help: `${noUserId} ${name} is not null: give the id of a user.` };
  }
  const note = hasUserId.test(expression) ? `. ${noUserId}` : '';
  return { word: 'default', help: `Default: ${expression}${note}`, isMissing: false };
}
