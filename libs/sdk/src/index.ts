export { createClient, type RowhouseClient } from './client.js';
export { RowhouseError } from './error.js';
export {
  cookieStorage,
  localStorageAdapter,
  memoryStorage,
  serverCookieStorage,
  type CookieOptions,
  type ServerCookies,
  type SessionStorage,
} from './storage.js';
export type { Answer, Failure, Success } from './answer.js';
export type * from './auth/index.js';
export type * from './buckets/index.js';
export type { Condition } from './encode.js';
export type { FunctionsClient, InvokeAnswer, InvokeOptions } from './functions.js';
export type { ClientOptions } from './options.js';
export type { Count } from './query/draft.js';
export type { FilterOperator } from './query/columns.js';
export type { Filters, ReferencedTable, TextSearchOptions } from './query/filters.js';
export type { OrderOptions } from './query/modifiers.js';
export type { PendingQuery } from './query/pending.js';
export type { ExplainOptions, Query } from './query/query.js';
export type {
  CountOption,
  InsertOptions,
  SelectOptions,
  TableClient,
  UpsertOptions,
} from './query/table.js';
export type * from './realtime/index.js';
export type { RpcOptions, SchemaClient } from './rpc.js';
export type {
  RecordedWrite,
  ResultRef,
  Transaction,
  TransactionOptions,
  TransactionTable,
} from './transaction.js';
export type * from './types/index.js';
