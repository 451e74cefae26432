import type { Answer } from './answer.js';
import { AuthClient } from './auth/client.js';
import { SessionSource, withSession } from './auth/session-source.js';
import { StorageClient } from './buckets/client.js';
import { type ClientOptions, resolveOptions } from './options.js';
import { page } from './page.js';
import { TableClient } from './query/table.js';
import { createExchange, type Exchange } from './request.js';
import { defaultRetryPolicy } from './retry.js';
import {
  callFunction,
  type FunctionName,
  type FunctionQuery,
  type RpcOptions,
  SchemaClient,
} from './rpc.js';
import {
  runTransaction,
  type Transaction,
  type TransactionData,
  type TransactionOptions,
} from './transaction.js';
import type { FunctionArgs, GenericDatabase } from './types/index.js';

/** A key that is only for servers and runs every request as `service_role`. */
const secretKey = /^svc_secret_/;

/** One project, as this program or page uses it. Created by `createClient`. */
export class RowhouseClient<Db extends GenericDatabase = GenericDatabase> {
  /** Accounts, and the session of this client. */
  readonly auth: AuthClient;
  /** Files, in buckets. */
  readonly storage: StorageClient;
  readonly #exchange: Exchange;

  /** @internal Created by `createClient`. */
  constructor(url: string, key: string | undefined, options: ClientOptions) {
    const resolved = resolveOptions(url, key, options);
    const { autoRefresh, storage, storageKey, detectSessionInUrl, ...rest } = resolved;
    const retryPolicy = defaultRetryPolicy;
    const exchange = createExchange({ ...rest, retryPolicy });
    const source = new SessionSource({ storage, storageKey, exchange });
    // An authorization in the options identifies the caller, and so does a secret key, except on the routes of the
    // accounts: then no session is sent.
    const namesCaller = 'authorization' in rest.headers;
    const exchangeAsUser = namesCaller ? exchange : withSession(exchange, source);
    const isServer = secretKey.test(key ?? '');
    this.#exchange = isServer ? exchange : exchangeAsUser;
    this.auth = new AuthClient({ source, exchange, exchangeAsUser, detectSessionInUrl });
    this.storage = new StorageClient({
      url: rest.url,
      exchange: this.#exchange,
      exchangeAsKey: exchange,
      store: createExchange({ ...rest, retryPolicy, url: '', headers: {} }),
      isVisitor: async () => !isServer && !namesCaller && !(await source.find()),
      storage,
      storageKey,
    });
    if (autoRefresh && page.document) this.auth.startAutoRefresh();
  }

  /** Begins a request on a table: `from('planets').select('name').gt('moons', 1)`. */
  from<Table extends keyof Db['public']['Tables'] & string>(table: Table): TableClient<Db, Table> {
    return new TableClient(this.#exchange, table);
  }

  /** Calls a database function with arguments by name. */
  rpc<Name extends FunctionName<Db>>(
    name: Name,
    args?: FunctionArgs<Db, Name>,
    options: RpcOptions = {},
  ): FunctionQuery<Db, Name> {
    return callFunction(this.#exchange, { name, args, options });
  }

  /** The functions of another schema. Tables are only in `public`. */
  schema(name: string): SchemaClient {
    return new SchemaClient(this.#exchange, name);
  }

  /**
   * Runs several writes as one transaction: all of them succeed, or none. The callback records them and must not be
   * asynchronous; the data is one list of rows for each write, in order. A value that only the database knows is passed
   * on by reference:
   *
   * ```ts
   * const { data, error } = await client.transaction((tx) => {
   *   const order = tx.from('orders').insert({ customer: 7 });
   *   tx.from('items').insert({ order_id: order.ref('id'), article: 'tea' });
   * });
   * ```
   *
   * @throws TypeError before anything is sent, if the callback reads or records no write
   */
  transaction(
    callback: (tx: Transaction<Db>) => unknown,
    options: TransactionOptions = {},
  ): Promise<Answer<TransactionData>> {
    return runTransaction(this.#exchange, callback, options);
  }
}

/**
 * Creates a client of the project at an address, e.g. `https://shop.example.org`. The key is the project's publishable
 * key, or on servers its secret key; a project that does not enforce keys needs none.
 * @throws TypeError for an address that is not a URL and for a `db.schema` other than `public`
 */
export function createClient<Db extends GenericDatabase = GenericDatabase>(
  url: string,
  key?: string,
  options: ClientOptions = {},
): RowhouseClient<Db> {
  return new RowhouseClient(url, key, options);
}
