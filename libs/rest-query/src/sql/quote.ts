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

export function tableName(table: Table): string {
  return `${quoteIdent(table.schema)}.${quoteIdent(table.name)}`;
}

export function routineName({ schema, name }: RoutineName): string {
  return `${quoteIdent(schema)}.${quoteIdent(name)}`;
}

/** `name type, …`: how PostgreSQL reads a JSON object as a row. */
export function recordType(columns: readonly Pick<Column, 'name' | 'type'>[]): string {
  return columns.map((column) => `${quoteIdent(column.name)} ${column.type}`).join(', ');
}
