// Indexes, foreign keys, unique constraints and checks as changes.
import { nameList, qualified, quoteName } from '../../../sql/quote.js';
import type { SchemaTable } from '../../project/schema.js';
import { type Change, harmless } from '../change.js';
import type { KeyAction } from './table-draft.js';

type Place = Pick<SchemaTable, 'schema' | 'name'>;

export interface IndexDraft {
  /** Empty: PostgreSQL chooses one. */
  readonly name: string;
  /** Columns in their order; not used if there is an `expression`. */
  readonly columns: readonly string[];
  readonly expression: string;
  readonly method: 'btree' | 'hash' | 'gin' | 'gist' | 'brin';
  readonly isUnique: boolean;
  /** The condition of a partial index; empty for all rows. */
  readonly where: string;
}

const named = (name: string): string => (name.trim() === '' ? '' : `${quoteName(name.trim())} `);

export function createIndex(table: Place, draft: IndexDraft): Change {
  const { name, columns, expression, method, isUnique, where } = draft;
  const indexed = expression.trim() === '' ? nameList(columns) : expression.trim();
  const condition = where.trim() === '' ? '' : ` where ${where.trim()}`;
  return harmless({
    title: `Create an index on ${table.name}`,
    done: `The index on ${table.name} was created.`,
    statements: [
      `create ${isUnique ? 'unique ' : ''}index ${named(name)}on ${qualified(table)} using ${method} (${indexed})${condition}`,
    ],
  });
}

export function dropIndex(table: Place, name: string): Change {
  return {
    title: `Drop the index ${name}`,
    done: `The index ${name} was dropped.`,
    statements: [`drop index ${qualified({ schema: table.schema, name })}`],
    losses: [
      'The index. No rows are lost, but queries that used it may become slower, and a unique index no longer prevents duplicates.',
    ],
    confirm: name,
  };
}

export interface ForeignKeyDraft {
  readonly name: string;
  /** The columns that refer, each with the one that it refers to. */
  readonly pairs: readonly { readonly column: string; readonly foreignColumn: string }[];
  readonly schema: string;
  readonly table: string;
  readonly onUpdate: KeyAction;
  readonly onDelete: KeyAction;
}

export function addForeignKey(table: Place, draft: ForeignKeyDraft): Change {
  const { name, pairs, onUpdate, onDelete } = draft;
  const definition = [
    `foreign key (${nameList(pairs.map(({ column }) => column))})`,
    `references ${qualified({ schema: draft.schema, name: draft.table })} (${nameList(pairs.map(({ foreignColumn }) => foreignColumn))})`,
    ...(onUpdate === 'no action' ? [] : [`on update ${onUpdate}`]),
    ...(onDelete === 'no action' ? [] : [`on delete ${onDelete}`]),
  ].join(' ');
  return addConstraint(table, name, { what: 'foreign key', definition });
}

export function addUnique(table: Place, name: string, columns: readonly string[]): Change {
  return addConstraint(table, name, {
    what: 'unique constraint',
    definition: `unique (${nameList(columns)})`,
  });
}

export function addPrimaryKey(table: Place, name: string, columns: readonly string[]): Change {
  return addConstraint(table, name, {
    what: 'primary key',
    definition: `primary key (${nameList(columns)})`,
  });
}

export function addCheck(table: Place, name: string, condition: string): Change {
  return addConstraint(table, name, { what: 'check', definition: `check (${condition.trim()})` });
}

function addConstraint(
  table: Place,
  name: string,
  { what, definition }: { readonly what: string; readonly definition: string },
): Change {
  const constraint = name.trim() === '' ? '' : `constraint ${named(name)}`;
  return harmless({
    title: `Add a ${what} to ${table.name}`,
    done: `The ${what} was added to ${table.name}.`,
    statements: [`alter table ${qualified(table)} add ${constraint}${definition}`],
  });
}

/** The change that drops a key, a unique constraint or a check. */
export function dropConstraint(table: Place, name: string, what: string): Change {
  return {
    title: `Drop the ${what} ${name}`,
    done: `The ${what} ${name} was dropped.`,
    statements: [`alter table ${qualified(table)} drop constraint ${quoteName(name)}`],
    losses: [`The ${what}. No rows are lost, but new rows are no longer checked against it.`],
    confirm: name,
  };
}
