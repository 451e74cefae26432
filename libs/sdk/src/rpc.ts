/** Calls of database functions. */
import { exactName, valueText } from './encode.js';
import { type Count, newDraft } from './query/draft.js';
import type { QueryParts } from './query/filters.js';
import { Query } from './query/query.js';
import type { Exchange } from './request.js';
import type { FunctionReturns, FunctionTable, GenericDatabase } from './types/index.js';
import type { RowOf } from './query/pending.js';

export interface RpcOptions {
  /** Calls with GET: read-only, and retried after a network failure. */
  readonly get?: boolean;
  /** Requests only the count. */
  readonly head?: boolean;
  /** Sets `count` to the number of rows of a set-returning function. */
  readonly count?: Count;
}

export type FunctionName<Db extends GenericDatabase> = keyof Db['public']['Functions'] & string;

/** The call of a function, still to be filtered and sent. Filters apply to the rows that it returns. */
export type FunctionQuery<Db extends GenericDatabase, Name extends string> = Query<
  RowOf<FunctionReturns<Db, Name>>,
  FunctionReturns<Db, Name>,
  Db,
  FunctionTable<Db, Name>
>;

export interface FunctionCall {
  readonly name: string;
  readonly args: unknown;
  readonly options: RpcOptions;
  /** The schema, if it is not `public`. */
  readonly schema?: string;
}

/**
 * The request that calls a function.
 * @throws TypeError for an argument that is null if the arguments are sent in the address, which has no null
 */
export function callFunction<Db extends GenericDatabase, Name extends string>(
  exchange: Exchange,
  { name, args, options, schema }: FunctionCall,
): FunctionQuery<Db, Name> {
  const method = options.head ? 'HEAD' : options.get ? 'GET' : 'POST';
  const path = `/rest/v1/rpc/${encodeURIComponent(name)}`;
  const body = method === 'POST' ? (args ?? {}) : undefined;
  const draft = newDraft({ exchange, method, path, body });
  if (method !== 'POST') {
    draft.filtersInTrees = true;
    addArguments(draft.filters, args ?? {});
  }
  if (options.count) draft.prefer.set('count', options.count);
  if (schema !== undefined) {
    draft.headers[method === 'POST' ? 'content-profile' : 'accept-profile'] = schema;
  }
  return new Query(draft);
}

function addArguments(params: QueryParts['filters'], args: object): void {
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    if (value === null) {
      throw new TypeError(`The argument ${name} is null, which a GET cannot carry: call with POST`);
    }
    params.push([exactName(name), valueText(value)]);
  }
}

/** The functions of an exposed schema other than `public`. Tables are only in `public`. */
export class SchemaClient {
  readonly #exchange: Exchange;
  readonly #schema: string;

  /** @internal Created by the client. */
  constructor(exchange: Exchange, schema: string) {
    this.#exchange = exchange;
    this.#schema = schema;
  }

  /** Calls a function of this schema. If the project does not expose the schema, the error is PGRST106. */
  rpc(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options: RpcOptions = {},
  ): FunctionQuery<GenericDatabase, string> {
    return callFunction(this.#exchange, { name, args, options, schema: this.#schema });
  }
}
