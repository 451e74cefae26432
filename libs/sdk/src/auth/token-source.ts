/**
 * Whose rights the requests and channels of a client have: those of the stored session, or of tokens that a function of
 * the app returns.
 */
import { isRecord, parseJson } from '../json.js';

/** The function of an app that returns its current token, or null while no user is signed in. */
export type AccessToken = () => Promise<string | null>;

export interface FoundToken {
  readonly access_token: string;
  readonly user?: { readonly id: string } | null | undefined;
}

/** Whether the server accepts a token, or may accept it. */
interface TokenState {
  readonly kind: 'alive' | 'gone' | 'unknown';
}

export interface TokenSource {
  find(): Promise<FoundToken | undefined>;
  /** Called with a token that the server has refused: finds out whether there is a valid one. */
  revalidate(ofToken: string): Promise<TokenState | undefined>;
  /** Calls a listener when there may be another token. The returned function ends that. */
  subscribe(listener: () => unknown): () => void;
}

/** The tokens of an app. Nothing is kept: the function is called for each request. */
export class AppTokens implements TokenSource {
  readonly #accessToken: AccessToken;
  readonly #listeners = new Set<() => unknown>();
  #last: string | undefined;

  constructor(accessToken: AccessToken) {
    this.#accessToken = accessToken;
  }

  async find(): Promise<FoundToken | undefined> {
    const token = (await this.#accessToken()) || undefined;
    return token === undefined ? undefined : { access_token: token, user: userOf(token) };
  }

  /** The same for requests. Channels follow if one has another token than the one before. */
  readonly ofRequests: Pick<TokenSource, 'find' | 'revalidate'> = {
    find: async () => {
      const found = await this.find();
      const token = found?.access_token;
      if (token !== this.#last) {
        this.#last = token;
        for (const listener of this.#listeners) listener();
      }
      return found;
    },
    revalidate: (ofToken) => this.revalidate(ofToken),
  };

  /** A function that returns the same token again has no better one. */
  async revalidate(ofToken: string): Promise<TokenState | undefined> {
    const found = await this.find();
    if (!found) return undefined;
    return { kind: found.access_token === ofToken ? 'unknown' : 'alive' };
  }

  subscribe(listener: () => unknown): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The subject of a signed token (RFC 7519 §4.1.2), by which channels notice that the user is another one. */
function userOf(token: string): FoundToken['user'] {
  try {
    const [, payload = ''] = token.split('.');
    const claims = parseJson(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
    const subject = isRecord(claims) ? claims['sub'] : undefined;
    return typeof subject === 'string' ? { id: subject } : undefined;
  } catch {
    // It is no signed token; the server says whether it is valid.
    return undefined;
  }
}
