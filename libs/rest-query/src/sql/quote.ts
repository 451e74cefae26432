import type { Column, RoutineName, Table } from '#libs/catalog';

/** A name as an identifier of SQL (PostgreSQL manual 4.1.1). */
export function quoteIdent(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a literal of SQL, whatever `standard_conforming_strings` says. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? ` E${quoted}` : quoted;
}

/** ` as "name"`, or nothing when the expression has that name already. */
export function namedSql(sql: string, name: string, alias: string): string {
  const ident = quoteIdent(name);
  return sql === `${alias}.${ident}` ? sql : `${sql} as ${ident}`;
}

/**
 * An operator of PostgreSQL, where the statement itself needs it. Operators that compare values of the project
 * are written by their names alone instead: a type of an extension or of the project (`citext`, `ltree`) has
 * its own, in a schema that the search path of the request leads to.
 */
export function builtInOperator(name: string): string {
  return `operator(pg_catalog.${name})`;
}

/**
 * `text`, or NULL when it is empty. It takes the place of `nullif`, whose equality is found by the search path.
 * The subquery is there because `text` is written once; PostgreSQL folds it into its surroundings.
 */
export function nullIfEmpty(text: string): string {
  return `(select case when s.v ${builtInOperator('=')} '' then null else s.v end from (select ${text} as v) s)`;
}

/** Words of SQL's grammar that begin the names of built-in types; no schema stands before them. */
const grammarType =
  /^(?:bit|bigint|boolean|character|double precision|integer|interval|numeric|real|smallint|time|timestamp)(?![\w"])/;

/**
 * The SQL text of a type of the catalog, which names the schema of every type that is not built in. Types
 * of the session's temporary schema come before built-in ones, so those get their schema here.
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
