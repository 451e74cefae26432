import { Filters, type ReferencedTable } from './filters.js';
import type { ColumnOf } from './columns.js';

export interface OrderOptions extends ReferencedTable {
  /** Default true. */
  readonly ascending?: boolean;
  /** Default: PostgreSQL's order, last if ascending. */
  readonly nullsFirst?: boolean;
}

/** Order and window of the filtered rows. */
export class Modifiers<Row> extends Filters<Row> {
  /**
   * Orders by a column, or by a column of an embedded row, e.g. `author(name)`; further calls order rows that are equal
   * so far.
   */
  order(column: ColumnOf<Row> | `${string}(${string})`, options?: OrderOptions): this;
  /** Orders the rows of an embed. */
  order(column: string, options: OrderOptions & Required<ReferencedTable>): this;
  order(column: string, options: OrderOptions = {}): this {
    const { ascending = true, nullsFirst, referencedTable } = options;
    const nulls = nullsFirst === undefined ? '' : nullsFirst ? '.nullsfirst' : '.nullslast';
    const term = `${column}.${ascending ? 'asc' : 'desc'}${nulls}`;
    const name = parameter('order', referencedTable);
    const terms = this.params.get(name);
    this.params.set(name, terms === null ? term : `${terms},${term}`);
    return this;
  }

  /** At most this many rows. */
  limit(count: number, { referencedTable }: ReferencedTable = {}): this {
    this.params.set(parameter('limit', referencedTable), String(count));
    return this;
  }

  /** The rows from one number to another, counted from 0, both inclusive: `range(0, 9)` is ten rows. */
  range(from: number, to: number, { referencedTable }: ReferencedTable = {}): this {
    this.params.set(parameter('offset', referencedTable), String(from));
    return this.limit(to - from + 1, referencedTable === undefined ? {} : { referencedTable });
  }
}

function parameter(name: string, referencedTable: string | undefined): string {
  return referencedTable === undefined ? name : `${referencedTable}.${name}`;
}
