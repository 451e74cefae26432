import { fieldText } from '../encode.js';
import { Filters, parameter, type ReferencedTable } from './filters.js';
import type { ColumnOf } from './columns.js';

export interface OrderOptions extends ReferencedTable {
  /** Default true. */
  readonly ascending?: boolean;
  /** Default: PostgreSQL's order, last if ascending. */
  readonly nullsFirst?: boolean;
}

/** `author(name)`, with or without quotes. Behind a blank, the parenthesis is part of a name. */
const relatedColumn = /^("(?:[^"\\]|\\.)*"|[^"(]*[^"( ])\((.+)\)$/s;

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
    const [, relation = '', related = column] = relatedColumn.exec(column) ?? [];
    const text = relation && `${fieldText(relation)}(${fieldText(related)})`;
    const term = `${text || fieldText(column)}.${ascending ? 'asc' : 'desc'}${nulls}`;
    const name = parameter('order', referencedTable);
    const terms = this.parts.modifiers.get(name);
    this.parts.modifiers.set(name, terms ? `${terms},${term}` : term);
    return this;
  }

  /** At most this many rows. */
  limit(count: number, { referencedTable }: ReferencedTable = {}): this {
    this.parts.modifiers.set(parameter('limit', referencedTable), String(count));
    return this;
  }

  /** The rows from one number to another, counted from 0, both inclusive: `range(0, 9)` is ten rows. */
  range(from: number, to: number, { referencedTable }: ReferencedTable = {}): this {
    this.parts.modifiers.set(parameter('offset', referencedTable), String(from));
    return this.limit(to - from + 1, referencedTable === undefined ? {} : { referencedTable });
  }
}
