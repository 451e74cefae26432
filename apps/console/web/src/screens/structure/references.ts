import type { SchemaContent } from '../project/schema.js';
// What a foreign key can refer to.

export interface Target {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** What a key of one column refers to by itself. */
  readonly usual: string;
}

/** The accounts of the project: the one table of the platform that a key can refer to. */
const users: Target = { schema: 'auth', table: 'user', columns: ['id'], usual: 'id' };

/** The tables that foreign keys can refer to. */
export function targetsIn({ tables }: Pick<SchemaContent, 'tables'>): readonly Target[] {
  return [
    ...tables
      .filter(({ kind }) => kind === 'table' || kind === 'partitioned')
      .map(({ schema, name, columns, primaryKey }) => ({
        schema,
        table: name,
        columns: columns.map((column) => column.name),
        usual: primaryKey[0] ?? columns[0]?.name ?? '',
      })),
    users,
  ];
}

/** A target as a choice names it. */
export const targetName = ({ schema, table }: Pick<Target, 'schema' | 'table'>): string =>
  schema === 'public' ? table : `${schema}.${table}`;
