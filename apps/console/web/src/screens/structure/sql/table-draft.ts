import type { SchemaColumn, SchemaTable } from '../../project/schema.js';
// A table as the drawer edits it.

export type Identity = 'always' | 'by default' | null;
export const keyActions = ['no action', 'restrict', 'cascade', 'set null', 'set default'] as const;
export type KeyAction = (typeof keyActions)[number];

/** Where a foreign key of one column leads. */
export interface Reference {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly onUpdate: KeyAction;
  readonly onDelete: KeyAction;
}

export interface ColumnDraft {
  /** Stays while the column is edited. */
  readonly key: string;
  /** The column as it is; undefined for a new one. */
  readonly before: SchemaColumn | undefined;
  readonly name: string;
  readonly type: string;
  /** An expression; empty for none. */
  readonly default: string;
  readonly isNullable: boolean;
  readonly identity: Identity;
  readonly comment: string;
  readonly isDropped: boolean;
  /** These three are for new columns; keys of a table have a part of their own. */
  readonly isPrimary: boolean;
  readonly isUnique: boolean;
  readonly reference: Reference | undefined;
}

export interface TableDraft {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly ColumnDraft[];
}

let lastKey = 0;

/** A new column without a name. */
export function newColumn(fields: Partial<ColumnDraft> = {}): ColumnDraft {
  lastKey += 1;
  return {
    key: String(lastKey),
    before: undefined,
    name: '',
    type: 'text',
    default: '',
    isNullable: true,
    identity: null,
    comment: '',
    isDropped: false,
    isPrimary: false,
    isUnique: false,
    reference: undefined,
    ...fields,
  };
}

/** What a new table begins with. */
export function newTable(): TableDraft {
  const id = newColumn({
    name: 'id',
    type: 'bigint',
    identity: 'always',
    isNullable: false,
    isPrimary: true,
  });
  const createdAt = newColumn({
    name: 'created_at',
    type: 'timestamp with time zone',
    default: 'current_timestamp',
    isNullable: false,
  });
  return { name: '', comment: '', columns: [id, createdAt] };
}

/** A table as it is, to be changed. */
export function draftOf(table: SchemaTable): TableDraft {
  return {
    name: table.name,
    comment: table.comment ?? '',
    columns: table.columns.map((column) =>
      newColumn({
        before: column,
        name: column.name,
        type: column.type,
        default: column.default ?? '',
        isNullable: column.isNullable,
        identity: column.identity,
        comment: column.comment ?? '',
        isPrimary: table.primaryKey.includes(column.name),
      }),
    ),
  };
}

/** The first thing that keeps a draft from being SQL, in words; undefined if there is none. */
export function problemOf({ name, columns }: TableDraft): string | undefined {
  if (name.trim() === '') return 'Give the table a name.';
  const kept = columns.filter(({ isDropped }) => !isDropped);
  const seen = new Set<string>();
  for (const column of kept) {
    const named = column.name.trim();
    if (named === '') return 'Give every column a name.';
    if (seen.has(named)) return `Two columns have the name ${named}.`;
    if (column.type.trim() === '') return `Give the column ${named} a type.`;
    if (column.reference !== undefined && column.reference.column === '')
      return `Choose what the column ${named} refers to.`;
    seen.add(named);
  }
  return undefined;
}
