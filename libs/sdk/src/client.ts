import type { Answer } from './answer.js';
import { AuthClient } from './auth/client.js';
import { SessionSource, withSession } from './auth/session-source.js';
import { AppTokens } from './auth/token-source.js';
import { StorageClient } from './buckets/client.js';
import { FunctionsClient } from './functions.js';
import { type ClientOptions, isSecretKey, resolveOptions } from './options.js';
import { page } from './page.js';
import { TableClient } from './query/table.js';
import type { RealtimeChannel } from './realtime/channel.js';
import { Channels } from './realtime/channels.js';
import type { RealtimeChannelOptions, RealtimeOutcome } from './realtime/types.js';
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

/** One project, as this program or page uses it. Created by `createClient`. */
export class RowhouseClient<Db extends GenericDatabase = GenericDatabase> {
  /** Files, in buckets. */
  readonly storage: StorageClient;
  /** Edge functions. */
  readonly functions: FunctionsClient;
  readonly #auth: AuthClient | undefined;
  readonly #exchange: Exchange;
  readonly #channels: Channels<Db>;

  /** @internal Created by `createClient`. */
  constructor(url: string, key: string | undefined, options: ClientOptions) {
    const resolved = resolveOptions(url, key, options);
    const { autoRefresh, storage, storageKey, detectSessionInUrl, accessToken, ...rest } = resolved;
    const retryPolicy = defaultRetryPolicy;
    const exchange = createExchange({ ...rest, retryPolicy });
    const source = new SessionSource({ storage, storageKey, exchange });
    const tokens = accessToken && new AppTokens(accessToken);
    // An authorization in the options identifies the caller, and so does a secret key, except on the routes of the
    // accounts: then no session is sent.
    const namesCaller = 'authorization' in rest.headers;
    const exchangeAsUser = namesCaller
      ? exchange
      : withSession(exchange, tokens?.ofRequests ?? source);
    const isServer = isSecretKey(key);
    this.#exchange = isServer ? exchange : exchangeAsUser;
    this.#auth = tokens
      ? undefined
      : new AuthClient({ source, exchange, exchangeAsUser, detectSessionInUrl });
    this.storage = new StorageClient({
      url: rest.url,
      exchange: this.#exchange,
      exchangeAsKey: exchange,
      store: createExchange({ ...rest, retryPolicy, url: '', headers: {} }),
      isVisitor: async () => !isServer && !namesCaller && !(await (tokens ?? source).find()),
      storage,
      storageKey,
    });
    this.functions = new FunctionsClient(this.#exchange, exchange);
    this.#channels = new Channels({
      url: rest.url,
      headers: rest.headers,
      session: isServer || namesCaller ? undefined : (tokens ?? source),
    });
    if (autoRefresh && page.document) this.#auth?.startAutoRefresh();
  }

  /**
   * Accounts, and the session of this client.
   * @throws TypeError if the client has the option `accessToken`
   */
  get auth(): AuthClient {
    if (this.#auth) return this.#auth;
    throw new TypeError(
      'With the option accessToken the client has no session: client.auth cannot be used',
    );
  }

  /** Begins a request on a table: `from('planets').select('name').gt('moons', 1)`. */
  from<Table extends keyof Db['public']['Tables'] & string>(table: Table): TableClient<Db, Table> {
    return new TableClient(this.#exchange, table);
  }

  /** Calls a database function with arguments by name. Edge functions are called with `functions.invoke`. */
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

  /**
   * Returns the channel of a topic, the same one until it is removed: changes of tables, messages and presence. It does
   * nothing before `subscribe`.
   *
   * ```ts
   * client
   *   .channel('room-1')
   *   .on('postgres_changes', { event: 'INSERT', table: 'planets' }, ({ new: planet }) => show(planet))
   *   .subscribe();
   * ```
   *
   * Without a config it returns the channel as it is.
   * @throws TypeError if the channel is there with another config than the given one
   */
  channel(topic: string, config: RealtimeChannelOptions = {}): RealtimeChannel<Db> {
    return this.#channels.open(topic, config);
  }

  /** The channels that were made and not removed, in the order of their creation. */
  getChannels(): RealtimeChannel<Db>[] {
    return this.#channels.list();
  }

  /** Leaves the topic of a channel. The connection ends with the last channel. */
  removeChannel(channel: RealtimeChannel<Db>): Promise<RealtimeOutcome> {
    return channel.unsubscribe();
  }

  removeAllChannels(): Promise<RealtimeOutcome[]> {
    return Promise.all(this.getChannels().map((channel) => channel.unsubscribe()));
  }
}

/**
 * Creates a client of the project at an address, e.g. `https://shop.example.org`. The key is the project's publishable
 * key, or on servers its secret key; a project that does not enforce keys needs none.
 * @throws TypeError for an address that is not a URL, for a `db.schema` other than `public`, and for an `accessToken`
 * beside a secret key or the header `authorization`
 */
export function createClient<Db extends GenericDatabase = GenericDatabase>(
  url: string,
  key?: string,
  options: ClientOptions = {},
): RowhouseClient<Db> {
  return new RowhouseClient(url, key, options);
}
