/** The part of the accounts that every request depends on: which session the client has, and who hears of it. */
import { RowhouseError, unreachable } from './error.js';
import { refusal } from './answer.js';
import type { Exchange } from './request.js';
import {
  type AuthListener,
  refusesSession,
  type Session,
  type SessionSource,
  type SessionUser,
} from './session.js';

/** How often a page asks whether its session lives, which also prolongs it. */
const autoRefreshMs = 10 * 60 * 1000;

export interface AuthAnswer<Data> {
  readonly data: Data;
  readonly error: RowhouseError | null;
}

export interface SessionData {
  readonly session: Session | null;
  readonly user: SessionUser | null;
}

export class AuthClient {
  readonly #source: SessionSource;
  readonly #exchange: Exchange;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @internal Clients make it. */
  constructor(source: SessionSource, exchange: Exchange) {
    this.#source = source;
    this.#exchange = exchange;
  }

  /** The session that this client keeps. Nothing is asked of the server: do not trust it on a server. */
  async getSession(): Promise<AuthAnswer<{ readonly session: Session | null }>> {
    try {
      return { data: { session: (await this.#source.find()) ?? null }, error: null };
    } catch (thrown) {
      return { data: { session: null }, error: unreachable(thrown) };
    }
  }

  /**
   * Signs this client in with a session token from elsewhere. The server is asked about it first; a token
   * that it does not accept changes nothing. A refresh token is ignored: sessions have none.
   */
  async setSession(tokens: {
    readonly access_token: string;
    readonly refresh_token?: string;
  }): Promise<AuthAnswer<SessionData>> {
    try {
      const verdict = await this.#source.ask(tokens.access_token);
      if (verdict.kind === 'unknown') return refusedSession(refusal(verdict.answer).error);
      if (verdict.kind === 'gone') return refusedSession(noSession());
      await this.#source.keep(verdict.session, 'SIGNED_IN');
      return {
        data: { session: verdict.session, user: verdict.session.user ?? null },
        error: null,
      };
    } catch (thrown) {
      return refusedSession(unreachable(thrown));
    }
  }

  /** Ends the session on the server and forgets it here, the latter even when the server cannot be reached. */
  async signOut(): Promise<{ readonly error: RowhouseError | null }> {
    try {
      const session = await this.#source.find();
      await this.#source.clear();
      if (!session) return { error: null };
      const answer = await this.#exchange({
        method: 'POST',
        path: '/api/auth/sign-out',
        headers: {
          authorization: `Bearer ${session.access_token}`,
          'content-type': 'application/json',
        },
        body: '{}',
        retries: false,
      });
      // A session that the server does not know any more has ended, which is what was asked for.
      const isEnded = answer.status < 400 || refusesSession(answer);
      return { error: isEnded ? null : refusal(answer).error };
    } catch (thrown) {
      return { error: unreachable(thrown) };
    }
  }

  /**
   * Calls back with `INITIAL_SESSION` soon, once and before anything else, also for a visitor who is not
   * signed in, and then with every change of the session.
   */
  onAuthStateChange(listener: AuthListener): {
    readonly data: { readonly subscription: { readonly unsubscribe: () => void } };
  } {
    return { data: { subscription: { unsubscribe: this.#source.subscribe(listener) } } };
  }

  /** Asks every ten minutes whether the session lives, which prolongs it. Pages do so by default. */
  startAutoRefresh(): void {
    this.stopAutoRefresh();
    // A server that cannot be reached now is asked again the next time.
    const ask = () => void this.#source.revalidate().catch(() => undefined);
    const timer = setInterval(ask, autoRefreshMs);
    this.#timer = timer;
    // The timer alone must not keep a program running.
    const handle: unknown = timer;
    if (hasUnref(handle)) handle.unref();
  }

  /** Ends what `startAutoRefresh` began. */
  stopAutoRefresh(): void {
    clearInterval(this.#timer);
  }
}

function refusedSession(error: RowhouseError): AuthAnswer<SessionData> {
  return { data: { session: null, user: null }, error };
}

function noSession(): RowhouseError {
  const message = 'The token belongs to no session, or to one that has ended';
  return new RowhouseError(message, { status: 401, code: 'UNAUTHORIZED' });
}

function hasUnref(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer;
}
