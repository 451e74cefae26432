import { withoutBlanks } from '../encode.js';
import type { GenericDatabase, SelectResult } from '../types/index.js';
import { PendingQuery, type RowOf } from './pending.js';

export interface ExplainOptions<Format extends 'text' | 'json' = 'text' | 'json'> {
  /** Runs the statement and measures. */
  readonly analyze?: boolean;
  /** Adds output columns and schema names. */
  readonly verbose?: boolean;
  /** Adds settings that differ from the defaults. */
  readonly settings?: boolean;
  /** Adds the use of buffers. */
  readonly buffers?: boolean;
  /** Adds the write-ahead log that was written. */
  readonly wal?: boolean;
  /** Default `text`. */
  readonly format?: Format;
}

/** Columns of rows are again a list of rows; of the single row that a function returns, they are one row. */
type Selected<Data, Row> = [Data] extends [readonly unknown[] | null] ? Row[] : Row;

const planOptions = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;

/**
 * A request on a table or a function whose result type is still open. `Row` is the type for filters, `Data` the type of
 * the result.
 */
export class Query<
  Row,
  Data,
  Db extends GenericDatabase,
  Table extends string,
> extends PendingQuery<Row, Data> {
  /** The columns of the result; after a write, this makes it return the written rows. */
  select<const Columns extends string = '*'>(
    columns?: Columns,
  ): Query<Row, Selected<Data, SelectResult<Db, Table, Columns>>, Db, Table> {
    const { draft } = this;
    draft.modifiers.set('select', withoutBlanks(columns ?? '*'));
    if (draft.method !== 'GET' && draft.method !== 'HEAD') {
      draft.prefer.set('return', 'representation');
    }
    return new Query(draft);
  }

  /** Exactly one row, as an object. No row or several are the error PGRST116, and a write is rolled back. */
  single(): PendingQuery<Row, RowOf<Data>> {
    return this.#as('application/vnd.pgrst.object+json');
  }

  /** The first row, or null if there is none. */
  maybeSingle(): PendingQuery<Row, RowOf<Data> | null> {
    const { draft } = this;
    draft.takesFirst = true;
    // For a table no second row is needed. The meaning of `limit` for a function depends on its result.
    if (draft.method === 'GET' && !draft.path.includes('/rpc/')) draft.modifiers.set('limit', '1');
    return new PendingQuery(draft);
  }

  /** The rows as text: comma-separated values with a header line (RFC 4180). */
  csv(): PendingQuery<Row, string> {
    return this.#as('text/csv');
  }

  /** The rows as a GeoJSON FeatureCollection. */
  geojson(): PendingQuery<Row, Record<string, unknown>> {
    return this.#as('application/geo+json');
  }

  /** PostgreSQL's plan instead of the rows. For administrators: ADMIN users and secret keys. */
  explain<Format extends 'text' | 'json' = 'text'>(
    options: ExplainOptions<Format> = {},
  ): PendingQuery<Row, Format extends 'json' ? Record<string, unknown>[] : string> {
    this.draft.plan = {
      format: options.format ?? 'text',
      options: planOptions.filter((option) => options[option]),
    };
    return new PendingQuery(this.draft);
  }

  /** Declares the type of the data. It is not checked. */
  override returns<New>(): Query<Row, New, Db, Table> {
    return new Query(this.draft);
  }

  #as<New>(mediaType: string): PendingQuery<Row, New> {
    this.draft.mediaType = mediaType;
    return new PendingQuery(this.draft);
  }
}
