// The public keys of one issuer: read from its key set, cached, and read again when they are old or a token names an
// unknown key. A failing issuer affects only its own tokens.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';

import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

/** Reads a web resource; an issuer's addresses come from the settings of a project. */
export type FetchResource = (
  url: string,
  init: { readonly signal: AbortSignal; readonly redirect: 'error' },
) => Promise<Response>;

/** Finds the key that a token's header names. Rejects like `createLocalJWKSet` of jose. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

export interface KeySourceOptions {
  /** Used in messages. */
  readonly name: string;
  readonly issuer: string;
  /** If absent, taken from the discovery document (OpenID Connect Discovery 1.0 §4). */
  readonly jwksUrl?: string | undefined;
  readonly fetch: FetchResource;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Keys older than this are read again; the old keys serve meanwhile. */
const freshMs = 10 * 60_000;
/** Keys older than this no longer serve: their issuer may have withdrawn them long ago. */
const keptMs = 60 * 60_000;
/** The least time between two requests to an issuer, for unknown keys or after a failure. */
const pauseMs = 30_000;
/** For discovery and key set together. */
const timeoutMs = 5_000;

export class KeySource {
  readonly #options: KeySourceOptions;
  #keys: KeySet | undefined;
  #readAt = -Infinity;
  #askedAt = -Infinity;
  #failure: unknown;
  #reading: Promise<KeySet> | undefined;

  constructor(options: KeySourceOptions) {
    this.#options = options;
  }

  /** Returns the cached keys; reads them first if there are none. Throws ISSUER_UNAVAILABLE. */
  current(): KeySet | Promise<KeySet> {
    const age = this.#options.now() - this.#readAt;
    if (!this.#keys || age > keptMs) return this.#read();
    // Not awaited: the cached keys serve, and a failure is remembered.
    if (age > freshMs && this.#mayAsk()) this.#read().catch(() => undefined);
    return this.#keys;
  }

  /**
   * Reads the keys again and returns them; undefined if they were read a moment ago. Throws ISSUER_UNAVAILABLE, also if
   * they were read a moment ago and that failed.
   */
  async newer(): Promise<KeySet | undefined> {
    if (this.#reading || this.#mayAsk() || this.#failure !== undefined) return this.#read();
    return undefined;
  }

  #mayAsk(): boolean {
    return this.#options.now() - this.#askedAt >= pauseMs;
  }

  #read(): Promise<KeySet> {
    if (this.#reading) return this.#reading;
    if (this.#failure !== undefined && !this.#mayAsk()) return Promise.reject(this.#unavailable());
    this.#askedAt = this.#options.now();
    this.#reading = this.#ask().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #ask(): Promise<KeySet> {
    try {
      const found = await this.#readKeySet();
      if (!isKeySet(found)) throw new Error('the issuer answered with no key set');
      const keys = createLocalJWKSet(found);
      this.#keys = keys;
      this.#readAt = this.#options.now();
      this.#failure = undefined;
      return keys;
    } catch (error) {
      this.#failure = error;
      throw this.#unavailable();
    }
  }

  #readKeySet(): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs);
    // The race ends a body that arrives slowly in a `fetch` that ignores the signal.
    return Promise.race([this.#readResources(signal), rejectOn(signal)]);
  }

  async #readResources(signal: AbortSignal): Promise<unknown> {
    const { issuer, jwksUrl, fetch } = this.#options;
    const read = async (url: string): Promise<unknown> => {
      const response = await fetch(url, { signal, redirect: 'error' });
      if (response.status !== 200)
        throw new Error(`the issuer answered with status ${response.status}`);
      return response.json();
    };
    if (jwksUrl !== undefined) return read(jwksUrl);
    const found = await read(`${withoutLastSlash(issuer)}/.well-known/openid-configuration`);
    if (!isDiscovery(found) || withoutLastSlash(found.issuer) !== withoutLastSlash(issuer)) {
      throw new Error('the discovery document names another issuer');
    }
    return read(found.jwks_uri);
  }

  #unavailable(): Error {
    const { name } = this.#options;
    return fail('ISSUER_UNAVAILABLE', { issuer: name }, { cause: this.#failure });
  }
}

/** Issuers are compared without a trailing slash, which configurations often omit. */
export function withoutLastSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

interface Discovery {
  readonly issuer: string;
  readonly jwks_uri: string;
}

function isDiscovery(value: unknown): value is Discovery {
  return (
    isRecord(value) && typeof value['issuer'] === 'string' && typeof value['jwks_uri'] === 'string'
  );
}

/** Its keys are checked one by one, when a token names them. */
function isKeySet(value: unknown): value is JSONWebKeySet {
  return isRecord(value) && Array.isArray(value['keys']);
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the issuer did not answer in time')), {
      once: true,
    });
  });
}
