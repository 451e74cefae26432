/**
 * Where the session is stored between requests and visits. An adapter is any object with `getItem`, `setItem` and
 * `removeItem`, synchronous or as promises: `localStorage` itself is one.
 */
import { page } from './page.js';

export interface SessionStorage {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  /** The longest stored value, in characters. A longer session is stored without its user. */
  readonly maxLength?: number;
}

/** Browsers store 4,096 bytes of a cookie, including name and attributes. */
const maxCookieValue = 3_500;
/** The longest lifetime that browsers allow for a cookie. */
const cookieSeconds = 400 * 24 * 60 * 60;

/** Keeps the session while the client exists. The default outside of browsers. */
export function memoryStorage(): SessionStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key),
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
  };
}

/** The storage of the page's origin, shared by its tabs. The default in browsers. */
export function localStorageAdapter(): SessionStorage {
  return page.localStorage ?? memoryStorage();
}

/** The storage of a client without the option. A page that may not use its storage keeps the session in memory. */
export function defaultStorage(): SessionStorage {
  if (!page.document) return memoryStorage();
  try {
    return localStorageAdapter();
  } catch {
    return memoryStorage(); // Reading `localStorage` throws in a sandboxed frame or with storage blocked.
  }
}

export interface CookieOptions {
  /** For a session that subdomains share. */
  readonly domain?: string;
  /** Default `/`. */
  readonly path?: string;
  /** Default `Lax`. */
  readonly sameSite?: 'Lax' | 'Strict' | 'None';
  /** Whether the cookie is sent over HTTPS only. Default: according to the page's own address; on servers true. */
  readonly secure?: boolean;
}

/** Keeps the session in a cookie of the page, so that the page's own server can read it. */
export function cookieStorage(options: CookieOptions = {}): SessionStorage {
  const secure = options.secure ?? page.location?.protocol === 'https:';
  const write = (key: string, value: string, seconds: number) => {
    if (page.document)
      page.document.cookie = cookieLine(key, value, { ...options, secure, seconds });
  };
  return {
    maxLength: maxCookieValue,
    getItem: (key) => readCookie(page.document?.cookie, key),
    setItem: (key, value) => write(key, value, cookieSeconds),
    removeItem: (key) => write(key, '', 0),
  };
}

/** The cookies of one request to a server. */
export interface ServerCookies extends CookieOptions {
  /** The request's header `Cookie`. */
  readonly cookie: string | null | undefined;
  /** Adds a `Set-Cookie` header to the answer; called once for each change. */
  readonly setCookie: (line: string) => unknown;
  /** Whether the cookie is hidden from scripts of the page. Default false: the page's client reads it, too. */
  readonly httpOnly?: boolean;
}

/** Keeps the session in the cookies of one request on a server. Create a client for each request. */
export function serverCookieStorage(cookies: ServerCookies): SessionStorage {
  const changed = new Map<string, string>();
  const secure = cookies.secure ?? true;
  const write = (key: string, value: string, seconds: number) => {
    changed.set(key, value);
    cookies.setCookie(cookieLine(key, value, { ...cookies, secure, seconds }));
  };
  return {
    maxLength: maxCookieValue,
    getItem: (key) => changed.get(key) ?? readCookie(cookies.cookie, key),
    setItem: (key, value) => write(key, value, cookieSeconds),
    removeItem: (key) => write(key, '', 0),
  };
}

interface CookieLine extends CookieOptions {
  readonly seconds: number;
  readonly httpOnly?: boolean;
}

/** A `Set-Cookie` line (RFC 6265 §4.1). */
function cookieLine(key: string, value: string, line: CookieLine): string {
  const { seconds, domain, path = '/', sameSite = 'Lax', secure, httpOnly } = line;
  const attributes = [
    `Max-Age=${seconds}`,
    `Path=${path}`,
    `SameSite=${sameSite}`,
    domain && `Domain=${domain}`,
    secure && 'Secure',
    httpOnly && 'HttpOnly',
  ];
  return [`${key}=${encodeURIComponent(value)}`, ...attributes].filter(Boolean).join('; ');
}

function readCookie(cookies: string | null | undefined, key: string): string | undefined {
  const start = `${key}=`;
  const found = cookies?.split(/; */).find((cookie) => cookie.startsWith(start));
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found.slice(start.length));
  } catch {
    return undefined; // Not written by this adapter.
  }
}
