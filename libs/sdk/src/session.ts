/**
 * The session of a client: one token, kept in a storage. It says who is signed in, asks the server
 * whether the session still lives, and tells listeners what changes. It knows no queries.
 */
import { refusal } from './answer.js';
import { isRecord, parseJson, textOf } from './json.js';
import type { Exchange, WireAnswer } from './request.js';
import type { SessionStorage } from './storage.js';

/** The signed-in user, as the server last described them. */
export interface SessionUser {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface Session {
  readonly access_token: string;
  /** When it ends if nothing prolongs it, in seconds since 1970. */
  readonly expires_at?: number;
  /** Absent when the storage had no room for it. */
  readonly user?: SessionUser;
}

export type AuthEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  | 'MFA_CHALLENGE_VERIFIED';

export type AuthListener = (event: AuthEvent, session: Session | null) => unknown;

/** What the server says of a token. */
export type Verdict =
  | { readonly kind: 'alive'; readonly session: Session }
  | { readonly kind: 'gone' }
  /** The server could not be asked, or did not answer the question. */
  | { readonly kind: 'unknown'; readonly answer: WireAnswer };

export interface SessionSourceOptions {
  readonly storage: SessionStorage;
  readonly storageKey: string;
  readonly exchange: Exchange;
}

export class SessionSource {
  readonly #storage: SessionStorage;
  readonly #key: string;
  readonly #exchange: Exchange;
  readonly #queues = new Set<(event: AuthEvent, session: Session | null) => void>();
  #revalidation: Promise<Verdict> | undefined;

  constructor({ storage, storageKey, exchange }: SessionSourceOptions) {
    this.#storage = storage;
    this.#key = storageKey;
    this.#exchange = exchange;
  }

  /** The session that is kept, without asking the server. */
  async find(): Promise<Session | undefined> {
    const stored = parseJson((await this.#storage.getItem(this.#key)) ?? '');
    if (!isRecord(stored)) return undefined;
    const token = textOf(stored['access_token']);
    return token === undefined ? undefined : sessionOf(token, stored);
  }

  /** Keeps a session and tells the listeners. */
  async keep(session: Session, event: AuthEvent): Promise<void> {
    const whole = JSON.stringify(session);
    const { maxLength = Infinity } = this.#storage;
    const isShort = encodeURIComponent(whole).length <= maxLength;
    const { user: _, ...withoutUser } = session;
    await this.#storage.setItem(this.#key, isShort ? whole : JSON.stringify(withoutUser));
    this.#announce(event, session);
  }

  /** Forgets the session and tells the listeners. */
  async clear(): Promise<void> {
    await this.#storage.removeItem(this.#key);
    this.#announce('SIGNED_OUT', null);
  }

  /** Asks the server about a token. */
  async ask(token: string): Promise<Verdict> {
    const answer = await this.#exchange({
      method: 'GET',
      path: '/api/auth/get-session',
      headers: { authorization: `Bearer ${token}` },
      retries: true,
    });
    if (refusesSession(answer)) return { kind: 'gone' };
    const body = parseJson(answer.text);
    if (answer.status === 200 && isRecord(body) && isRecord(body['session'])) {
      const expiresAt = Math.floor(Date.parse(textOf(body['session']['expiresAt']) ?? '') / 1000);
      return {
        kind: 'alive',
        session: sessionOf(token, { expires_at: expiresAt, user: body['user'] }),
      };
    }
    // The engine answers 200 and null for a token that it does not know.
    if (answer.status === 200 && (body === null || answer.text === '')) return { kind: 'gone' };
    return { kind: 'unknown', answer };
  }

  /**
   * Asks the server whether the kept session lives, once for all who ask meanwhile. A session that is gone
   * is cleared. Gives undefined when there is none.
   */
  async revalidate(): Promise<Verdict | undefined> {
    const session = await this.find();
    if (!session) return undefined;
    this.#revalidation ??= this.#judge(session.access_token).finally(() => {
      this.#revalidation = undefined;
    });
    return this.#revalidation;
  }

  /** Tells a listener the session of now and, after that, every change. Gives the way to end that. */
  subscribe(listener: AuthListener): () => void {
    const hear = (event: AuthEvent, session: Session | null) => {
      if (this.#queues.has(queue)) tell(listener, event, session);
    };
    // Each call waits for the one before it, so that INITIAL_SESSION comes first and nothing overtakes.
    let last = this.find().then(
      (session) => hear('INITIAL_SESSION', session ?? null),
      () => hear('INITIAL_SESSION', null),
    );
    const queue = (event: AuthEvent, session: Session | null) => {
      last = last.then(() => hear(event, session));
    };
    this.#queues.add(queue);
    return () => this.#queues.delete(queue);
  }

  async #judge(token: string): Promise<Verdict> {
    const verdict = await this.ask(token);
    // Somebody may have signed in or out meanwhile: then the verdict is about no session of now.
    if ((await this.find())?.access_token !== token) return verdict;
    if (verdict.kind === 'gone') await this.clear();
    if (verdict.kind === 'alive') await this.keep(verdict.session, 'TOKEN_REFRESHED');
    return verdict;
  }

  #announce(event: AuthEvent, session: Session | null): void {
    for (const queue of this.#queues) queue(event, session);
  }
}

/** Whether an answer means that the session is gone. A key that the project refuses says nothing of it. */
export function refusesSession(answer: WireAnswer): boolean {
  return answer.status === 401 && refusal(answer).error.code !== 'INVALID_API_KEY';
}

function sessionOf(token: string, fields: Record<string, unknown>): Session {
  const { expires_at: expiresAt, user } = fields;
  return {
    access_token: token,
    ...(typeof expiresAt === 'number' && expiresAt > 0 && { expires_at: expiresAt }),
    ...(isUser(user) && { user }),
  };
}

function isUser(value: unknown): value is SessionUser {
  return isRecord(value) && typeof value['id'] === 'string';
}

/** A listener's fault is its own: it must not keep others from hearing. */
function tell(listener: AuthListener, event: AuthEvent, session: Session | null): void {
  try {
    void listener(event, session);
  } catch (thrown) {
    console.error('A listener of onAuthStateChange failed', thrown);
  }
}

/**
 * Sends requests as the signed-in user. A request that names its own `authorization` is left alone. On a 401
 * the session is revalidated, and the answer is the 401: the request itself is not sent again.
 */
export function withSession(exchange: Exchange, session: SessionSource): Exchange {
  return async (request) => {
    if (request.headers['authorization'] !== undefined) return exchange(request);
    const kept = await session.find();
    if (!kept) return exchange(request);
    const authorization = `Bearer ${kept.access_token}`;
    const answer = await exchange({ ...request, headers: { ...request.headers, authorization } });
    // Whether the server can be asked or not, the caller learns of the 401.
    if (answer.status === 401) await session.revalidate().catch(() => undefined);
    return answer;
  };
}
