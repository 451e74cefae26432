/**
 * Several writes as one transaction. A callback records them; nothing is sent while it runs. The server runs the writes
 * as one batch, completely or not at all.
 */
import { type Answer, refusal, settle } from './answer.js';
import { toJson } from './body.js';
import { unquoted, withoutBlanks } from './encode.js';
import { RowhouseError } from './error.js';
import { isRecord, parseJson } from './json.js';
import type { ColumnOf, ValueOf } from './query/columns.js';
import { newParts, queryOf, type QueryParts } from './query/filters.js';
import { Modifiers } from './query/modifiers.js';
import {
  columnsOf,
  conflictTarget,
  type InsertOptions,
  resolutionOf,
  type UpsertOptions,
} from './query/table.js';
import type { Exchange } from './request.js';
import type {
  GenericDatabase,
  LooseRow,
  TableInsert,
  TableRow,
  TableUpdate,
} from './types/index.js';

/** A value from an earlier write of the same transaction: a JSON Pointer (RFC 6901) into the results. */
export interface ResultRef {
  readonly $ref: string;
}

/** Values of which each column may also be a reference to an earlier write. */
export type WithRefs<Values> = { [Column in keyof Values]: Values[Column] | ResultRef };

/** One operation for the batch route. */
interface BatchOperation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly model: string;
  readonly query?: string;
  readonly match?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly as?: string;
  readonly resolution?: string;
  readonly missing?: 'default';
}

/** The fields of an operation besides filters, columns and name. */
type Start = Pick<BatchOperation, 'method' | 'model' | 'body' | 'resolution' | 'missing'>;

/** A write that is recorded in a transaction. It cannot be awaited: its rows are in the transaction's data. */
export class RecordedWrite<Row> extends Modifiers<Row> {
  readonly #start: Start;
  readonly #index: number;
  readonly #match = new Map<string, ResultRef>();
  #name: string | undefined;

  /** @internal Created by the transaction. */
  constructor(start: Start, index: number, parts = newParts()) {
    super(parts);
    this.#start = start;
    this.#index = index;
  }

  /** The columns of this write's rows in the results. Default: all. */
  select(columns = '*'): this {
    this.parts.modifiers.set('select', withoutBlanks(columns));
    return this;
  }

  /** Names this write, for error messages and in references to it. */
  as(name: string): this {
    this.#name = name;
    return this;
  }

  /** A column of a row that this write returns, as a value for later writes of the transaction. */
  ref(column: keyof Row & string, row = 0): ResultRef {
    const path = [this.#name ?? this.#index, row, column];
    const escaped = path.map((part) => String(part).replace(/~/g, '~0').replace(/\//g, '~1'));
    return { $ref: `/${escaped.join('/')}` };
  }

  /** Rows whose column equals the value, which may be a reference to an earlier write. */
  override eq<Column extends ColumnOf<Row>>(
    column: Column,
    value: ValueOf<Row, Column> | ResultRef,
  ): this {
    return this.where(column, 'eq', value);
  }

  /** @internal The operation as it is sent. */
  toOperation(): BatchOperation {
    const query = queryOf(this.parts);
    return {
      ...this.#start,
      ...(query !== '' && { query }),
      ...(this.#match.size > 0 && { match: Object.fromEntries(this.#match) }),
      ...(this.#name !== undefined && { as: this.#name }),
    };
  }

  protected override where(column: string, operator: string, value: unknown): this {
    if (!isRef(value)) return super.where(column, operator, value);
    if (operator !== 'eq') {
      throw new TypeError('A reference to an earlier write can only be compared with eq and match');
    }
    this.#match.set(unquoted(column), value);
    return this;
  }
}

function isRef(value: unknown): value is ResultRef {
  return isRecord(value) && typeof value['$ref'] === 'string' && Object.keys(value).length === 1;
}

/** The writes on one table inside a transaction. */
export class TransactionTable<Db extends GenericDatabase, Table extends string> {
  readonly #table: string;
  readonly #record: Recorder;

  /** @internal Created by the transaction. */
  constructor(table: string, record: Recorder) {
    this.#table = table;
    this.#record = record;
  }

  /** Inserts one or more rows. */
  insert(
    values: OneOrMore<TableInsert<Db, Table>>,
    options: InsertOptions = {},
  ): RecordedWrite<TableRow<Db, Table>> {
    return this.#insert({}, values, options);
  }

  /** Inserts rows, and updates those that already exist. */
  upsert(
    values: OneOrMore<TableInsert<Db, Table>>,
    options: UpsertOptions = {},
  ): RecordedWrite<TableRow<Db, Table>> {
    return this.#insert({ resolution: resolutionOf(options) }, values, options);
  }

  /** Sets columns of the filtered rows. */
  update(values: WithRefs<TableUpdate<Db, Table>>): RecordedWrite<TableRow<Db, Table>> {
    return this.#record({ method: 'PATCH', model: this.#table, body: values });
  }

  /** Deletes the filtered rows. */
  delete(): RecordedWrite<TableRow<Db, Table>> {
    return this.#record({ method: 'DELETE', model: this.#table });
  }

  /**
   * Not possible: a transaction can only write.
   * @throws TypeError
   */
  select(_columns?: string, _options?: unknown): never {
    throw new TypeError('A transaction cannot read; use insert, upsert, update and delete');
  }

  #insert(
    start: Pick<Start, 'resolution'>,
    values: unknown,
    options: UpsertOptions,
  ): RecordedWrite<TableRow<Db, Table>> {
    const parts = newParts();
    const columns = columnsOf(values);
    if (columns !== undefined) parts.modifiers.set('columns', columns);
    const target = conflictTarget(options);
    if (target !== undefined) parts.modifiers.set('on_conflict', target);
    const missing = options.defaultToNull === false ? ({ missing: 'default' } as const) : {};
    const operation = { method: 'POST', model: this.#table, body: values } as const;
    return this.#record({ ...operation, ...start, ...missing }, parts);
  }
}

type OneOrMore<Row> = WithRefs<Row> | readonly WithRefs<Row>[];

type Recorder = <Row>(start: Start, parts?: QueryParts) => RecordedWrite<Row>;

/** The parameter of the callback of `transaction`. */
export interface Transaction<Db extends GenericDatabase> {
  from<Table extends keyof Db['public']['Tables'] & string>(
    table: Table,
  ): TransactionTable<Db, Table>;
}

export interface TransactionOptions {
  /** Runs everything, returns the results, and rolls it back. */
  readonly rollback?: boolean;
  /** Aborts the request with the signal. */
  readonly signal?: AbortSignal;
  /** Throws an error of the server instead of returning it. */
  readonly throwOnError?: boolean;
}

/** The rows of each write, in the order of the writes. */
export type TransactionData = LooseRow[][];

/**
 * Runs the callback and sends what it recorded as one batch.
 * @throws TypeError before anything is sent, if the callback reads or records no write
 */
export async function runTransaction<Db extends GenericDatabase>(
  exchange: Exchange,
  callback: (tx: Transaction<Db>) => unknown,
  options: TransactionOptions,
): Promise<Answer<TransactionData>> {
  const writes: { toOperation(): BatchOperation }[] = [];
  let isOpen = true;
  const record = <Row>(start: Start, parts?: QueryParts): RecordedWrite<Row> => {
    if (!isOpen) throw new TypeError('The transaction was already sent');
    const write = new RecordedWrite<Row>(start, writes.length, parts);
    writes.push(write);
    return write;
  };
  await callback({ from: (table) => new TransactionTable(table, record) });
  isOpen = false;
  if (writes.length === 0) throw new TypeError('The transaction contains no write');
  const operations = writes.map((write) => write.toOperation());
  return settle(() => sendBatch(exchange, operations, options), options.throwOnError === true);
}

async function sendBatch(
  exchange: Exchange,
  operations: readonly BatchOperation[],
  { rollback, signal }: TransactionOptions,
): Promise<Answer<TransactionData>> {
  const wire = await exchange({
    method: 'POST',
    path: '/rest/v1/batch',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(rollback && { prefer: 'tx=rollback' }),
    },
    body: toJson({ operations }, 3),
    signal,
    retries: false,
  });
  const { status, statusText } = wire;
  if (status < 200 || status > 299) return refusal(wire);
  const envelope = parseJson(wire.text);
  const content = isRecord(envelope) ? envelope['data'] : undefined;
  const data = isRecord(content) ? content['results'] : undefined;
  if (isResults(data)) return { data, error: null, count: null, status, statusText };
  throw new RowhouseError('The answer is not the result of a batch', { status, code: '' });
}

function isResults(data: unknown): data is TransactionData {
  return Array.isArray(data) && data.every(Array.isArray);
}
