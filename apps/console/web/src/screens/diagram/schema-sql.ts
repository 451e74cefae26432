// The tables of a schema as a script that makes them: types and sequences first, foreign keys last.
import { commentText, nameList, qualified, quoteName, quoteText } from '../../sql/quote.js';
import { counted } from '../../ui/counted.js';
import type { EnumType, SchemaColumn, SchemaTable, TableDetails } from '../project/schema.js';
import { addForeignKey } from '../structure/sql/keys-sql.js';

export interface ScriptContent {
  readonly project: string;
  readonly tables: readonly SchemaTable[];
  readonly enums: readonly EnumType[];
  /** Unique constraints, checks and indexes by the name of the table; without an entry where they could not be read. */
  readonly details: ReadonlyMap<string, TableDetails>;
}

/** The script. It runs in an empty schema of another project. */
export function schemaScript(content: ScriptContent): string {
  const { project, tables, enums, details } = content;
  const stored = tables.filter(isStored);
  const parts = [
    `-- ${oneLine(project)}: ${counted(stored.length, 'table')} with columns, keys, checks, indexes and the state of row level\n-- security. Policies, functions, triggers, views, domains, extensions and rows are not part of it.`,
    ...usedEnums(enums, stored).map(createEnum),
    ...sequencesOf(stored).map((name) => `create sequence if not exists ${name};`),
    ...tables.map((table) =>
      isStored(table)
        ? createTable(table, details.get(table.name))
        : `-- ${oneLine(qualified(table))} is a ${table.kind} and is left out.`,
    ),
    ...foreignKeysOf(stored),
  ];
  return `${parts.join('\n\n')}\n`;
}

const isStored = ({ kind, partitionOf }: SchemaTable): boolean =>
  partitionOf === null && (kind === 'table' || kind === 'partitioned');

/** A text in a comment of SQL, which ends with the line. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

function usedEnums(enums: readonly EnumType[], tables: readonly SchemaTable[]) {
  const types = new Set(
    tables.flatMap(({ columns }) =>
      columns.flatMap(({ type, baseType }) =>
        [type, baseType].map((each) => each.replace(/(\[\])+$/, '')),
      ),
    ),
  );
  return enums.filter((type) => types.has(qualified(type)) || types.has(strictlyQuoted(type)));
}

/** PostgreSQL quotes more names than {@link qualified}. */
const strictlyQuoted = ({ schema, name }: EnumType): string =>
  `${quoteName(schema)}."${name.replaceAll('"', '""')}"`;

function createEnum(type: EnumType): string {
  return [
    `create type ${qualified(type)} as enum (${type.values.map(quoteText).join(', ')});`,
    ...(type.comment === null
      ? []
      : [`comment on type ${qualified(type)} is ${commentText(type.comment)};`]),
  ].join('\n');
}

/** The sequences that defaults count with, as PostgreSQL writes their names. */
function sequencesOf(tables: readonly SchemaTable[]): readonly string[] {
  const names = tables.flatMap(({ columns }) =>
    columns.flatMap(({ default: expression, isGenerated }) => {
      if (isGenerated) return [];
      const matches = (expression ?? '').matchAll(/nextval\('((?:[^']|'')+)'::regclass\)/g);
      return [...matches].map(([, name = '']) => name.replaceAll("''", "'"));
    }),
  );
  return [...new Set(names)];
}

function createTable(table: SchemaTable, details: TableDetails | undefined): string {
  const place = qualified(table);
  const { columns, primaryKey, hasRls, comment, kind } = table;
  const lines = columns.map(columnText);
  if (primaryKey.length > 0) lines.push(`primary key (${nameList(primaryKey)})`);
  const constraints = [...(details?.uniques ?? []), ...(details?.checks ?? [])];
  const uniqueNames = new Set(details?.uniques.map(({ name }) => name));
  const indexes = (details?.indexes ?? []).filter(
    ({ name, isPrimary, isValid }) => !isPrimary && isValid && !uniqueNames.has(name),
  );
  return [
    ...(kind === 'partitioned'
      ? ['-- This table is partitioned: its partitions and their key are left out.']
      : []),
    `create table ${place} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`,
    // A project switches it on for each new table.
    `alter table ${place} ${hasRls ? 'enable' : 'disable'} row level security;`,
    ...(details?.isRlsForced ? [`alter table ${place} force row level security;`] : []),
    ...(details
      ? []
      : ['-- Unique constraints, checks and indexes of this table could not be read.']),
    ...constraints.map(
      ({ name, definition }) =>
        `alter table ${place} add constraint ${quoteName(name)} ${definition};`,
    ),
    ...indexes.map(({ name, definition }) =>
      // The server cuts definitions that are very long.
      definition.endsWith('…')
        ? `-- The index ${oneLine(name)} is left out: its definition is too long.`
        : `${definition};`,
    ),
    ...(comment === null ? [] : [`comment on table ${place} is ${commentText(comment)};`]),
    ...columns.flatMap((column) =>
      column.comment === null
        ? []
        : [
            `comment on column ${place}.${quoteName(column.name)} is ${commentText(column.comment)};`,
          ],
    ),
  ].join('\n');
}

function columnText(column: SchemaColumn): string {
  const { name, type, isNullable, identity, isGenerated, default: expression } = column;
  const isFilled = identity !== null || isGenerated;
  return [
    `${quoteName(name)} ${type}`,
    ...(identity === null ? [] : [`generated ${identity} as identity`]),
    ...(isGenerated && expression !== null ? [`generated always as (${expression}) stored`] : []),
    ...(isFilled || expression === null ? [] : [`default ${expression}`]),
    ...(isNullable || identity !== null ? [] : ['not null']),
  ].join(' ');
}

/** Keys to tables that the script does not make are left out, but for those to other schemas. */
function foreignKeysOf(tables: readonly SchemaTable[]): readonly string[] {
  const made = new Set(tables.map(qualified));
  const schemas = new Set(tables.map(({ schema }) => schema));
  return tables.flatMap((table) =>
    table.foreignKeys.map((key) => {
      const target = { schema: key.schema, name: key.table };
      if (schemas.has(key.schema) && !made.has(qualified(target)))
        return `-- The foreign key ${oneLine(key.name)} of ${oneLine(qualified(table))} is left out: this script does not make ${oneLine(qualified(target))}.`;
      const pairs = key.columns.map((column, index) => ({
        column,
        foreignColumn: key.foreignColumns[index] ?? '',
      }));
      const change = addForeignKey(table, { ...key, pairs });
      return change.statements.map((statement) => `${statement};`).join('\n');
    }),
  );
}
