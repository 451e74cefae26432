import type { Column, Table } from '#libs/catalog';
import type { Parameter } from '../types.js';

/** The values of a statement in the making: `$1`, `$2`, … in the order in which they are asked for. */
export class Parameters {
  readonly list: Parameter[] = [];

  /** Placeholder of a new value. */
  add(parameter: Parameter): string {
    this.list.push(parameter);
    return `$${this.list.length}`;
  }
}

/** A name as an identifier of SQL (PostgreSQL manual 4.1.1). */
export function quoteIdent(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a literal of SQL, whatever `standard_conforming_strings` says. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? ` E${quoted}` : quoted;
}

export function tableName(table: Table): string {
  return `${quoteIdent(table.schema)}.${quoteIdent(table.name)}`;
}

/** The column of the row source that every statement calls `t`. */
export function columnOfTable(column: Column): string {
  return `t.${quoteIdent(column.name)}`;
}

/** `name type, …`: how PostgreSQL reads a JSON object as a row. */
export function recordType(columns: readonly Column[]): string {
  return columns.map((column) => `${quoteIdent(column.name)} ${column.type}`).join(', ');
}
