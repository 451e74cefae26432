// The public keys of one issuer: read from its key set, kept, and read again when they are old or a token
// names one that is not among them. What an issuer does or fails to do costs its own tokens alone.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';

import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

/** Reads a web resource; an issuer's addresses come from the settings of a project. */
export type FetchResource = (
  url: string,
  init: { readonly signal: AbortSignal; readonly redirect: 'error' },
) => Promise<Response>;

/** Finds the key that a token's header names. Rejects as `createLocalJWKSet` of jose does. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

export interface KeySourceOptions {
  /** For messages. */
  readonly name: string;
  readonly issuer: string;
  /** Absent: taken from the discovery document (OpenID Connect Discovery 1.0 §4). */
  readonly jwksUrl?: string | undefined;
  readonly fetch: FetchResource;
  /** Milliseconds. */
  readonly now: () => number;
}

/** After this age keys are read again, while the old ones still serve. */
const freshMs = 10 * 60_000;
/** Keys older than this serve no more: their issuer may have withdrawn them long ago. */
const keptMs = 60 * 60_000;
/** How often an issuer is asked again, for unknown keys or after a failure. */
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

  /** The keys as they are known; read first when there are none. Throws ISSUER_UNAVAILABLE. */
  current(): KeySet | Promise<KeySet> {
    const age = this.#options.now() - this.#readAt;
    if (!this.#keys || age > keptMs) return this.#read();
    // Nobody waits for this one: the keys that are here serve, and a failure is remembered.
    if (age > freshMs && this.#mayAsk()) this.#read().catch(() => undefined);
    return this.#keys;
  }

  /**
   * The keys after the issuer was asked once more; undefined when it was asked a moment ago. Throws
   * ISSUER_UNAVAILABLE, also while the last answer was a failure.
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
    // The race ends a body that trickles in under a `fetch` that does not heed the signal.
    return Promise.race([this.#readResources(signal), rejectOn(signal)]);
  }

  async #readResources(signal: AbortSignal): Promise<unknown> {
    const { issuer, jwksUrl, fetch } = this.#options;
    const read = async (url: string): Promise<unknown> => {
      const response = await fetch(url, { signal, redirect: 'error' });
      if (response.status !== 200) throw new Error(`the issuer answered ${response.status}`);
      return response.json();
    };
    if (jwksUrl !== undefined) return read(jwksUrl);
    const found = await read(`${withoutLastSlash(issuer)}/.well-known/openid-configuration`);
    if (!isDiscovery(found) || withoutLastSlash(found.issuer) !== withoutLastSlash(issuer)) {
      throw new Error('the discovery document is not of this issuer');
    }
    return read(found.jwks_uri);
  }

  #unavailable(): Error {
    const { name } = this.#options;
    return fail('ISSUER_UNAVAILABLE', { issuer: name }, { cause: this.#failure });
  }
}

/** Issuers are compared without a slash at the end, which people leave out as they please. */
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
