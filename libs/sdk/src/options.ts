import { defaultStorage, memoryStorage, type SessionStorage } from './storage.js';

/** Headers by name. */
export type HeaderValues = Headers | Readonly<Record<string, string>>;

export interface ClientOptions {
  /** Where the session is kept. Default: `localStorage` in browsers, else memory. */
  readonly storage?: SessionStorage;
  /** Whether a page asks now and then if its session lives, which prolongs it. Default true. */
  readonly autoRefresh?: boolean;
  /** Sends requests in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Sent with every request. */
  readonly headers?: HeaderValues;
  /** The nested spelling of the options above, which lose against them. */
  readonly auth?: {
    readonly storage?: SessionStorage;
    /** The name under which the session is kept. Default: made of the project's host. */
    readonly storageKey?: string;
    readonly autoRefresh?: boolean;
    readonly autoRefreshToken?: boolean;
    /** False keeps the session in memory. */
    readonly persistSession?: boolean;
    /**
     * Whether a page signs in with the code that a redirect has brought into its address, when it was this
     * browser that set out. Default true.
     */
    readonly detectSessionInUrl?: boolean;
    /** Ignored: there is one flow. */
    readonly flowType?: string;
  };
  readonly db?: {
    /** `public`, where all tables are. Anything else is refused. */
    readonly schema?: string;
  };
  readonly global?: {
    readonly fetch?: typeof fetch;
    readonly headers?: HeaderValues;
  };
}

export interface ResolvedOptions {
  /** The address of the project, without a slash at its end. */
  readonly url: string;
  readonly storage: SessionStorage;
  readonly storageKey: string;
  readonly autoRefresh: boolean;
  readonly detectSessionInUrl: boolean;
  readonly fetch: typeof fetch;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The options of a client with their defaults; the flat spelling wins over the nested one.
 * @throws TypeError for an address that is no URL and for a schema other than `public`
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
  return {
    url: address.href.replace(/\/+$/, ''),
    storage:
      options.storage ??
      auth.storage ??
      (auth.persistSession === false ? memoryStorage() : defaultStorage()),
    storageKey: auth.storageKey ?? `rowhouse.${address.host.replace(/[^\w.-]/g, '-')}`,
    autoRefresh: options.autoRefresh ?? auth.autoRefresh ?? auth.autoRefreshToken ?? true,
    detectSessionInUrl: auth.detectSessionInUrl ?? true,
    // Found anew for each request, so that a fetch which is replaced later is used.
    fetch: options.fetch ?? global.fetch ?? ((input, init) => fetch(input, init)),
    headers: {
      ...headerRecord(global.headers),
      ...headerRecord(options.headers),
      ...(key !== undefined && { apikey: key }),
    },
  };
}

function headerRecord(headers: HeaderValues | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries());
}
