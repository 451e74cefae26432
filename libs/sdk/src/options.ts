import type { AccessToken } from './auth/token-source.js';
import { defaultStorage, memoryStorage, type SessionStorage } from './storage.js';

/** Headers by name. */
export type HeaderValues = Headers | Readonly<Record<string, string>>;

export interface ClientOptions {
  /** Where the session is stored. Default: `localStorage` in browsers, else memory. */
  readonly storage?: SessionStorage;
  /** Whether a page regularly checks if its session is alive, which prolongs it. Default true. */
  readonly autoRefresh?: boolean;
  /** Sends requests instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Sent with every request. */
  readonly headers?: HeaderValues;
  /**
   * Returns the token of a user who has signed in at another issuer, or null. It is called for each request and takes
   * the place of the session: `client.auth` cannot be used.
   */
  readonly accessToken?: AccessToken;
  /** The nested form of the options above, which override it. */
  readonly auth?: {
    readonly storage?: SessionStorage;
    /** The name under which the session is stored. Default: made from the project's host. */
    readonly storageKey?: string;
    readonly autoRefresh?: boolean;
    readonly autoRefreshToken?: boolean;
    /** False keeps the session in memory. */
    readonly persistSession?: boolean;
    /**
     * Whether a page signs in with the code that a redirect has put into its address, if this browser began the flow.
     * Default true.
     */
    readonly detectSessionInUrl?: boolean;
    /** Ignored: there is only one flow. */
    readonly flowType?: string;
  };
  readonly db?: {
    /** `public`, which contains all tables. Other values are refused. */
    readonly schema?: string;
  };
  readonly global?: {
    readonly fetch?: typeof fetch;
    readonly headers?: HeaderValues;
  };
}

export interface ResolvedOptions {
  /** The address of the project, without a trailing slash. */
  readonly url: string;
  readonly storage: SessionStorage;
  readonly storageKey: string;
  readonly autoRefresh: boolean;
  readonly detectSessionInUrl: boolean;
  readonly fetch: typeof fetch;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken?: AccessToken;
}

/**
 * The options of a client with their defaults; the flat form overrides the nested one.
 * @throws TypeError for an address that is not a URL, for a schema other than `public`, and for an `accessToken` beside
 * something else that says who the caller is
 */
export function resolveOptions(
  url: string,
  key: string | undefined,
  options: ClientOptions,
): ResolvedOptions {
  const { auth = {}, db = {}, global = {} } = options;
  if (db.schema !== undefined && db.schema !== 'public') {
    throw new TypeError(`Tables are in the schema public; db.schema cannot be ${db.schema}`);
  }
  const address = new URL(url);
  const headers = {
    ...headerRecord(global.headers),
    ...headerRecord(options.headers),
    ...(key !== undefined && { apikey: key }),
  };
  const { accessToken } = options;
  if (accessToken && ('authorization' in headers || isSecretKey(key))) {
    const other = isSecretKey(key) ? 'the secret key' : 'the header authorization';
    throw new TypeError(`accessToken and ${other} both say who the caller is: leave one out`);
  }
  return {
    url: address.href.replace(/\/+$/, ''),
    storage:
      options.storage ??
      auth.storage ??
      (auth.persistSession === false ? memoryStorage() : defaultStorage()),
    storageKey: auth.storageKey ?? `rowhouse.${address.host.replace(/[^\w.-]/g, '-')}`,
    autoRefresh: options.autoRefresh ?? auth.autoRefresh ?? auth.autoRefreshToken ?? true,
    detectSessionInUrl: auth.detectSessionInUrl ?? true,
    // Looked up for each request, so that a `fetch` that is replaced later is used.
    fetch: options.fetch ?? global.fetch ?? ((input, init) => fetch(input, init)),
    headers,
    ...(accessToken && { accessToken }),
  };
}

/** Whether a key is only for servers, where it runs every request as `service_role`. */
export function isSecretKey(key: string | undefined): boolean {
  return key?.startsWith('svc_secret_') ?? false;
}

/** Headers by lower-case name. */
export function headerRecord(headers: HeaderValues | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries());
}
