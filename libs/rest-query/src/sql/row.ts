// A row as the parts of a statement see it. A level without embeds sees its rows directly. A level with embeds has two
// steps: the first filters, orders and cuts, and passes the needed columns to the second. These columns are called c1,
// c2, …, so that names of a table and names of a request never conflict.
import type { Table } from '#libs/catalog';
import { quoteIdent } from '#libs/wire';
import { tableName } from './quote.js';

export interface Row {
  /** The name of the row in FROM. */
  readonly alias: string;
  /** An expression over the columns of the source, as written at the place from which the row is seen. */
  see(sql: string): string;
}

/** A row seen beside its source. */
export function sourceRow(alias: string): Row {
  return { alias, see: (sql) => sql };
}

/** A row seen from the second step: each column in use becomes a column of the first. */
export class Handover implements Row {
  readonly alias: string;
  readonly #nameBySql = new Map<string, string>();

  constructor(alias: string) {
    this.alias = alias;
  }

  see(sql: string): string {
    let name = this.#nameBySql.get(sql);
    if (name === undefined) {
      name = `c${this.#nameBySql.size + 1}`;
      this.#nameBySql.set(sql, name);
    }
    return `${this.alias}.${name}`;
  }

  /** The columns of the first step: `t."id" as c1, …`. Complete once the second step is written. */
  get list(): string {
    return [...this.#nameBySql].map(([sql, name]) => `${sql} as ${name}`).join(', ');
  }
}

export function columnSql(row: Row, name: string): string {
  return row.see(`${row.alias}.${quoteIdent(name)}`);
}

/**
 * The whole row as a value of its table's type. The alias alone would be a column if the table has one of that name,
 * and without the cast a select list would expand the star.
 */
export function wholeRowSql(row: Row, table: Table): string {
  return row.see(`${row.alias}.*::${tableName(table)}`);
}
