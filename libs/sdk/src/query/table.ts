import { nameList, withoutBlanks } from '../encode.js';
import type { Exchange, Method } from '../request.js';
import type {
  GenericDatabase,
  SelectResult,
  TableInsert,
  TableRow,
  TableUpdate,
} from '../types/index.js';
import { type Count, newDraft, type RequestDraft } from './draft.js';
import { Query } from './query.js';

export interface CountOption {
  /**
   * Sets `count` of the result to the number of all matching rows: `exact` counts them, `planned` uses the planner's
   * estimate, `estimated` counts up to the project's row limit and estimates above. If policies hide rows from the
   * caller, the last two count up to 100,000 rows.
   */
  readonly count?: Count;
}

export interface SelectOptions extends CountOption {
  /** Requests only the count; no rows are read. */
  readonly head?: boolean;
}

export interface InsertOptions extends CountOption {
  /** The value of a column that a row omits while other rows have it: NULL, or with false its default. */
  readonly defaultToNull?: boolean;
}

export interface UpsertOptions extends InsertOptions {
  /** The unique columns that identify an existing row. Default: the primary key. */
  readonly onConflict?: string | readonly string[];
  /** Leaves existing rows unchanged; by default they get the new values. */
  readonly ignoreDuplicates?: boolean;
}

/** The requests on one table. Each method begins a new one. */
export class TableClient<Db extends GenericDatabase, Table extends string> {
  readonly #exchange: Exchange;
  readonly #table: string;

  /** @internal Created by the client. */
  constructor(exchange: Exchange, table: string) {
    this.#exchange = exchange;
    this.#table = table;
  }

  /** Reads rows: columns, embeds and renamings in one text, e.g. `'id, title, author(name)'`. Default: all columns. */
  select<const Columns extends string = '*'>(
    columns?: Columns,
    options: SelectOptions = {},
  ): Query<TableRow<Db, Table>, SelectResult<Db, Table, Columns>[], Db, Table> {
    const draft = this.#draft(options.head ? 'HEAD' : 'GET', options);
    draft.modifiers.set('select', withoutBlanks(columns ?? '*'));
    return new Query(draft);
  }

  /** Inserts one or more rows, in one statement. Add `.select()` to return them. */
  insert(
    values: TableInsert<Db, Table> | readonly TableInsert<Db, Table>[],
    options: InsertOptions = {},
  ): Query<TableRow<Db, Table>, null, Db, Table> {
    return new Query(this.#write(values, options));
  }

  /** Inserts rows, and updates those that already exist. Add `.select()` to return them. */
  upsert(
    values: TableInsert<Db, Table> | readonly TableInsert<Db, Table>[],
    options: UpsertOptions = {},
  ): Query<TableRow<Db, Table>, null, Db, Table> {
    const draft = this.#write(values, options);
    draft.prefer.set('resolution', resolutionOf(options));
    const target = conflictTarget(options);
    if (target !== undefined) draft.modifiers.set('on_conflict', target);
    return new Query(draft);
  }

  /** Sets columns of the filtered rows. A filter is required, except for administrators. */
  update(
    values: TableUpdate<Db, Table>,
    options: CountOption = {},
  ): Query<TableRow<Db, Table>, null, Db, Table> {
    return new Query(this.#draft('PATCH', options, values));
  }

  /** Deletes the filtered rows. A filter is required, except for administrators. */
  delete(options: CountOption = {}): Query<TableRow<Db, Table>, null, Db, Table> {
    return new Query(this.#draft('DELETE', options));
  }

  #write(values: unknown, options: InsertOptions): RequestDraft {
    const draft = this.#draft('POST', options, values);
    if (options.defaultToNull === false) draft.prefer.set('missing', 'default');
    const columns = columnsOf(values);
    if (columns !== undefined) draft.modifiers.set('columns', columns);
    return draft;
  }

  #draft(method: Method, { count }: CountOption, body?: unknown): RequestDraft {
    const path = `/rest/v1/${encodeURIComponent(this.#table)}`;
    const draft = newDraft({ exchange: this.#exchange, method, path, body });
    if (count) draft.prefer.set('count', count);
    return draft;
  }
}

/**
 * The columns of several rows, for the parameter `columns`: every column that some row has. Undefined for a single row,
 * whose keys suffice, and for rows without any column.
 */
export function columnsOf(values: unknown): string | undefined {
  if (!Array.isArray(values)) return undefined;
  const names = new Set<string>();
  for (const row of values) {
    // JSON omits a field that is undefined, so the row does not have it.
    for (const [name, value] of Object.entries(row ?? {})) if (value !== undefined) names.add(name);
  }
  return names.size > 0 ? nameList(names) : undefined;
}

/** What an upsert does with existing rows. */
export function resolutionOf({ ignoreDuplicates }: UpsertOptions) {
  return ignoreDuplicates ? 'ignore-duplicates' : 'merge-duplicates';
}

/** The parameter `on_conflict`. A text is not changed, a list of names is quoted. */
export function conflictTarget({ onConflict }: UpsertOptions): string | undefined {
  if (onConflict === undefined || typeof onConflict === 'string') return onConflict;
  return nameList(onConflict);
}
