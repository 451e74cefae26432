import type { Column, RoutineName, Table } from '#libs/catalog';
import { quoteIdent } from '#libs/wire';

/** A text as an SQL literal, whatever `standard_conforming_strings` is. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? ` E${quoted}` : quoted;
}

/** ` as "name"`, or nothing if the expression already has that name. */
export function namedSql(sql: string, name: string, alias: string): string {
  const ident = quoteIdent(name);
  return sql === `${alias}.${ident}` ? sql : `${sql} as ${ident}`;
}

/**
 * An operator of PostgreSQL, for the statement's own use. Operators that compare values of the project are written by
 * their name only: a type of an extension or of the project (`citext`, `ltree`) has its own operators, in a schema on
 * the search path of the request.
 */
export function builtInOperator(name: string): string {
  return `operator(pg_catalog.${name})`;
}

/**
 * `text`, or NULL if it is empty. It replaces `nullif`, which finds its equality by the search path. The subquery
 * writes `text` only once; PostgreSQL inlines it.
 */
export function nullIfEmpty(text: string): string {
  return `(select case when s.v ${builtInOperator('=')} '' then null else s.v end from (select ${text} as v) s)`;
}

/** SQL keywords that begin the names of built-in types; they cannot have a schema. */
const grammarType =
  /^(?:bit|bigint|boolean|character|double precision|integer|interval|numeric|real|smallint|time|timestamp)(?![\w"])/;

/**
 * The SQL text of a type of the catalog, which names the schema of every type that is not built in. Types of the
 * session's temporary schema take precedence over built-in ones, so built-in types get their schema here.
 */
export function typeName(type: string): string {
  return type.includes('.') || grammarType.test(type) ? type : `pg_catalog.${type}`;
}

export function tableName(table: Table): string {
  return `${quoteIdent(table.schema)}.${quoteIdent(table.name)}`;
}

export function routineName({ schema, name }: RoutineName): string {
  return `${quoteIdent(schema)}.${quoteIdent(name)}`;
}

/** `name type, …`: how PostgreSQL reads a JSON object as a row. */
export function recordType(columns: readonly Pick<Column, 'name' | 'type'>[]): string {
  return columns.map((column) => `${quoteIdent(column.name)} ${typeName(column.type)}`).join(', ');
}
