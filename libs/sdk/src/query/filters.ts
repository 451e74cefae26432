/**
 * The filters of a request, each one query parameter `column=operator.value`. Filters of the same request are combined
 * by `and`. Every method changes its request and returns it.
 */
import {
  arrayLiteral,
  conditionList,
  encodeQuery,
  fieldText,
  operand,
  pathText,
  valueList,
} from '../encode.js';
import type { ArrayOperand, ColumnOf, Conditions, FilterOperator, ValueOf } from './columns.js';

/**
 * The query string of a request while it is built. Filters are added and modifiers replaced, each in a place of its own:
 * whatever a column is called, no modifier takes a filter away.
 */
export interface QueryParts {
  readonly filters: (readonly [name: string, text: string])[];
  /** By the name of the parameter: `select`, `order`, `books.limit`. */
  readonly modifiers: Map<string, string>;
  /** Set where arguments are parameters, too: a filter `id=eq.1` could be the argument `id`, one in a tree cannot. */
  filtersInTrees?: boolean;
}

export function newParts(): QueryParts {
  return { filters: [], modifiers: new Map() };
}

/** The query string as it is sent. */
export function queryOf({ filters, modifiers }: QueryParts): string {
  return encodeQuery([...modifiers, ...filters]);
}

/** The name of a modifier or of a logic tree, for the rows of the request or of an embed. */
export function parameter(name: string, referencedTable: string | undefined): string {
  return referencedTable === undefined ? name : `${pathText(referencedTable)}.${name}`;
}

export interface ReferencedTable {
  /** The embedded table (or its alias) to filter, instead of the table of the request. */
  readonly referencedTable?: string;
}

export interface TextSearchOptions {
  /**
   * How the query is read: `plain` as words that must all occur, `phrase` as words in this order, `websearch` in the
   * syntax of search engines. Default: as a tsquery.
   */
  readonly type?: 'plain' | 'phrase' | 'websearch';
  /** The text search configuration, such as `english`. */
  readonly config?: string;
}

const searchOperators = { plain: 'plfts', phrase: 'phfts', websearch: 'wfts' } as const;

export class Filters<Row> {
  protected readonly parts: QueryParts;

  /** @internal Created by the client. */
  constructor(parts: QueryParts) {
    this.parts = parts;
  }

  /** Rows whose column equals the value. NULL never equals anything: use `is`. */
  eq<Column extends ColumnOf<Row>>(column: Column, value: ValueOf<Row, Column>): this {
    return this.where(column, 'eq', value);
  }

  /** Rows whose column differs from the value. Rows with NULL are not among them: use `isDistinct`. */
  neq<Column extends ColumnOf<Row>>(column: Column, value: ValueOf<Row, Column>): this {
    return this.where(column, 'neq', value);
  }

  /** Rows whose column is greater than the value. */
  gt<Column extends ColumnOf<Row>>(column: Column, value: ValueOf<Row, Column>): this {
    return this.where(column, 'gt', value);
  }

  /** Rows whose column is greater than or equal to the value. */
  gte<Column extends ColumnOf<Row>>(column: Column, value: ValueOf<Row, Column>): this {
    return this.where(column, 'gte', value);
  }

  /** Rows whose column is less than the value. */
  lt<Column extends ColumnOf<Row>>(column: Column, value: ValueOf<Row, Column>): this {
    return this.where(column, 'lt', value);
  }

  /** Rows whose column is less than or equal to the value. */
  lte<Column extends ColumnOf<Row>>(column: Column, value: ValueOf<Row, Column>): this {
    return this.where(column, 'lte', value);
  }

  /** Rows whose column differs from the value, where NULL counts as a value of its own. */
  isDistinct<Column extends ColumnOf<Row>>(column: Column, value: ValueOf<Row, Column>): this {
    return this.where(column, 'isdistinct', value);
  }

  /** Rows whose column matches the pattern, with `%` (or `*`) for any text and `_` for any character. */
  like(column: ColumnOf<Row>, pattern: string): this {
    return this.where(column, 'like', pattern);
  }

  /** Like `like`, ignoring case. */
  ilike(column: ColumnOf<Row>, pattern: string): this {
    return this.where(column, 'ilike', pattern);
  }

  /** Rows whose column matches every pattern. */
  likeAllOf(column: ColumnOf<Row>, patterns: readonly string[]): this {
    return this.where(column, 'like(all)', arrayLiteral(patterns));
  }

  /** Rows whose column matches at least one pattern. */
  likeAnyOf(column: ColumnOf<Row>, patterns: readonly string[]): this {
    return this.where(column, 'like(any)', arrayLiteral(patterns));
  }

  /** Like `likeAllOf`, ignoring case. */
  ilikeAllOf(column: ColumnOf<Row>, patterns: readonly string[]): this {
    return this.where(column, 'ilike(all)', arrayLiteral(patterns));
  }

  /** Like `likeAnyOf`, ignoring case. */
  ilikeAnyOf(column: ColumnOf<Row>, patterns: readonly string[]): this {
    return this.where(column, 'ilike(any)', arrayLiteral(patterns));
  }

  /** Rows whose column matches the POSIX regular expression. */
  regexMatch(column: ColumnOf<Row>, pattern: string): this {
    return this.where(column, 'match', pattern);
  }

  /** Like `regexMatch`, ignoring case. */
  regexIMatch(column: ColumnOf<Row>, pattern: string): this {
    return this.where(column, 'imatch', pattern);
  }

  /** Rows whose column is NULL, true or false. The only way to test for NULL. */
  is(column: ColumnOf<Row>, value: boolean | null): this {
    return this.where(column, 'is', value);
  }

  /** Rows whose column is one of the values; an empty list matches no row. */
  in<Column extends ColumnOf<Row>>(column: Column, values: readonly ValueOf<Row, Column>[]): this {
    return this.where(column, 'in', valueList(values));
  }

  /** Rows whose column is none of the values. Rows with NULL are not among them. */
  notIn<Column extends ColumnOf<Row>>(
    column: Column,
    values: readonly ValueOf<Row, Column>[],
  ): this {
    return this.where(column, 'not.in', valueList(values));
  }

  /** Rows whose array, range or JSON column contains the value. A range and a JSON list are written as text. */
  contains(column: ColumnOf<Row>, value: ArrayOperand): this {
    return this.where(column, 'cs', value);
  }

  /** Rows whose array, range or JSON column is contained by the value. */
  containedBy(column: ColumnOf<Row>, value: ArrayOperand): this {
    return this.where(column, 'cd', value);
  }

  /** Rows whose array or range column shares an element with the value. */
  overlaps(column: ColumnOf<Row>, value: string | readonly unknown[]): this {
    return this.where(column, 'ov', value);
  }

  /** Rows whose range is completely above the given one. */
  rangeGt(column: ColumnOf<Row>, range: string): this {
    return this.where(column, 'sr', range);
  }

  /** Rows whose range does not extend below the given one. */
  rangeGte(column: ColumnOf<Row>, range: string): this {
    return this.where(column, 'nxl', range);
  }

  /** Rows whose range is completely below the given one. */
  rangeLt(column: ColumnOf<Row>, range: string): this {
    return this.where(column, 'sl', range);
  }

  /** Rows whose range does not extend above the given one. */
  rangeLte(column: ColumnOf<Row>, range: string): this {
    return this.where(column, 'nxr', range);
  }

  /** Rows whose range is adjacent to the given one. */
  rangeAdjacent(column: ColumnOf<Row>, range: string): this {
    return this.where(column, 'adj', range);
  }

  /** Rows whose text or tsvector column matches the search. */
  textSearch(column: ColumnOf<Row>, query: string, options: TextSearchOptions = {}): this {
    const operator = options.type ? searchOperators[options.type] : 'fts';
    const config = options.config === undefined ? '' : `(${options.config})`;
    return this.where(column, `${operator}${config}`, query);
  }

  /** Rows whose columns equal the values: `eq` for each of them. */
  match(values: { readonly [Column in ColumnOf<Row>]?: unknown }): this {
    for (const [column, value] of Object.entries(values)) this.where(column, 'eq', value);
    return this;
  }

  /** Rows for which the condition does not hold, e.g. `not('tags', 'cs', ['a'])`. Lists are formatted for you. */
  not(column: ColumnOf<Row>, operator: FilterOperator | (string & {}), value: unknown): this {
    return this.where(column, `not.${operator}`, value);
  }

  /**
   * Rows for which at least one condition holds. A text is sent unchanged, so values with commas, quotes or parentheses
   * need quotes; parts are quoted for you: `or([['age', 'gt', 18], { and: [['name', 'eq', 'Ada, Countess'], ['age',
   * 'is', null]] }])`.
   */
  or(conditions: Conditions, { referencedTable }: ReferencedTable = {}): this {
    const text = typeof conditions === 'string' ? `(${conditions})` : conditionList(conditions);
    this.parts.filters.push([parameter('or', referencedTable), text]);
    return this;
  }

  /**
   * A filter with any operator of the grammar, also `not.eq` or `like(any)`, on anything that a filter can name:
   * `filter('moons', 'is', null)` selects the rows without an embedded row. Lists are formatted for you.
   */
  filter(
    column: ColumnOf<Row> | (string & {}),
    operator: FilterOperator | (string & {}),
    value: unknown,
  ): this {
    return this.where(column, operator, value);
  }

  /** All filters are added here. */
  protected where(column: string, operator: string, value: unknown): this {
    const name = fieldText(column, pathText);
    const isOwn = name === fieldText(column);
    this.parts.filters.push(
      this.parts.filtersInTrees && isOwn
        ? ['and', conditionList([[column, operator, value]])]
        : [name, `${operator}.${operand(operator, value)}`],
    );
    return this;
  }
}
