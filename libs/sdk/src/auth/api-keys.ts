/** Long-lived keys with which programs act for a user. A key is sent as a bearer token, like a session token. */
import { attempt, type AuthAnswer, needTexts, type Wire } from './wire.js';

/** A key in a list: only the first characters of the key itself. */
export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  readonly start: string | null;
  readonly prefix: string | null;
  readonly enabled: boolean;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastRequest: string | null;
  readonly remaining: number | null;
  readonly permissions?: Readonly<Record<string, readonly string[]>> | null;
  readonly metadata?: unknown;
  readonly [field: string]: unknown;
}

export interface ApiKeyInput {
  readonly name?: string;
  /** In seconds. Default: the project's. */
  readonly expiresIn?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** For a key of an organization. */
  readonly organizationId?: string;
}

export interface ApiKeyUpdate {
  readonly keyId: string;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly expiresIn?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ApiKeyListOptions {
  readonly organizationId?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly sortBy?: string;
  readonly sortDirection?: 'asc' | 'desc';
}

export interface ApiKeyList {
  readonly apiKeys: readonly ApiKey[];
  readonly total: number;
  readonly limit?: number;
  readonly offset?: number;
}

export class ApiKeyClient {
  readonly #wire: Wire;

  /** @internal Created by the client. */
  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Creates a key. `key` is returned only this once. */
  create(input: ApiKeyInput = {}): Promise<AuthAnswer<ApiKey & { readonly key: string }>> {
    return attempt(() => this.#wire.post('/api-key/create', input));
  }

  list(options: ApiKeyListOptions = {}): Promise<AuthAnswer<ApiKeyList>> {
    return attempt(() => this.#wire.get('/api-key/list', options));
  }

  get({ id }: { readonly id: string }): Promise<AuthAnswer<ApiKey>> {
    return attempt(async () => {
      needTexts({ id });
      return this.#wire.get('/api-key/get', { id });
    });
  }

  /** Changes the given fields. */
  update(change: ApiKeyUpdate): Promise<AuthAnswer<ApiKey>> {
    return attempt(async () => {
      needTexts({ keyId: change.keyId });
      return this.#wire.post('/api-key/update', change);
    });
  }

  /** Deletes a key. It is invalid from the next request on. */
  delete({
    keyId,
  }: {
    readonly keyId: string;
  }): Promise<AuthAnswer<{ readonly success: boolean }>> {
    return attempt(async () => {
      needTexts({ keyId });
      return this.#wire.post('/api-key/delete', { keyId });
    });
  }
}
