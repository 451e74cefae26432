/** The session of a client: read it, set it, prolong it, end it, subscribe to its changes. */
import { refusal } from '../answer.js';
import { RowhouseError } from '../error.js';
import { letProgramEnd, page } from '../page.js';
import type { Session, SessionUser } from './session.js';
import type { AuthListener } from './session-source.js';
import { type AuthParts, liveSession, signedOut, type SignInAnswer } from './sign-in-answer.js';
import { answered, type AuthAnswer, needTexts, noSession } from './wire.js';

/** How often a page checks whether its session is alive, which also prolongs it. */
const autoRefreshMs = 10 * 60 * 1000;

export interface SessionTokens {
  readonly access_token?: string;
  /** An alias of `access_token`. */
  readonly accessToken?: string;
  /** Ignored: sessions have none. */
  readonly refresh_token?: string;
}

export interface SignOutOptions {
  /** This session (`local`, the default), all sessions of the user, or all but this one. */
  readonly scope?: 'local' | 'global' | 'others';
}

const signOutPaths = {
  local: '/sign-out',
  global: '/revoke-sessions',
  others: '/revoke-other-sessions',
} as const;

export class SessionMethods {
  /** @internal */
  protected readonly parts: AuthParts;
  #stopRefresh: (() => void) | undefined;

  /** @internal Created by the client. */
  constructor(parts: AuthParts) {
    this.parts = parts;
  }

  /** The session that this client has stored, without a request to the server: do not trust it on a server. */
  getSession(): Promise<
    AuthAnswer<{ readonly session: Session | null }, { readonly session: null }>
  > {
    const work = async () => ({ session: (await this.parts.source.find()) ?? null });
    return answered(work, { session: null });
  }

  /** The signed-in user, or the user of a token, as the server currently knows them. */
  getUser(
    token?: string,
  ): Promise<AuthAnswer<{ readonly user: SessionUser | null }, { readonly user: null }>> {
    const work = async () => ({ user: (await liveSession(this.parts.source, token)).user ?? null });
    return answered(work, { user: null });
  }

  /**
   * Signs this client in with a session token from elsewhere. The token is first checked with the server; if it is
   * refused, nothing changes. A refresh token is ignored: sessions have none.
   */
  setSession(tokens: SessionTokens): Promise<SignInAnswer> {
    return answered(async () => {
      const token = tokens.access_token ?? tokens.accessToken;
      needTexts({ access_token: token });
      const session = await liveSession(this.parts.source, token);
      await this.parts.source.keep(session, 'sign-in');
      return { session, user: session.user ?? null };
    }, signedOut);
  }

  /** Checks with the server whether the session is alive, which prolongs it. */
  refreshSession(): Promise<SignInAnswer> {
    return answered(async () => {
      const verdict = await this.parts.source.revalidate();
      if (verdict?.kind === 'unknown') throw refusal(verdict.answer).error;
      if (verdict?.kind !== 'alive') throw noSession();
      const { session } = verdict;
      return { session, user: session.user ?? null };
    }, signedOut);
  }

  /** Ends the session on the server and removes it here, even if the server cannot be reached. */
  async signOut({ scope = 'local' }: SignOutOptions = {}): Promise<{
    readonly error: RowhouseError | null;
  }> {
    const { source, asVisitor } = this.parts;
    const { error } = await answered(async () => {
      const session = await source.find();
      if (scope !== 'others') await source.clear();
      if (!session) return;
      const authorization = `Bearer ${session.access_token}`;
      await asVisitor.post(signOutPaths[scope], {}, { authorization });
    }, null);
    // A session that the server no longer knows has already ended.
    const hasEnded = error?.status === 401 && error.code !== 'INVALID_API_KEY';
    return { error: hasEnded ? null : error };
  }

  /**
   * Calls back with `INITIAL_SESSION` asynchronously, once and before anything else, also for a visitor who is not
   * signed in, and then with every change of the session, in this tab or another.
   */
  onAuthStateChange(listener: AuthListener): {
    readonly data: { readonly subscription: { readonly unsubscribe: () => void } };
  } {
    return { data: { subscription: { unsubscribe: this.parts.source.subscribe(listener) } } };
  }

  /**
   * Checks every ten minutes whether the session is alive, which prolongs it. Pages do so by default. A hidden page
   * pauses, and checks when it becomes visible again.
   */
  startAutoRefresh(): void {
    this.stopAutoRefresh();
    let isDue = false;
    const ask = () => {
      isDue = page.document?.visibilityState === 'hidden';
      // If the server cannot be reached, the next check follows as usual.
      if (!isDue) void this.parts.source.revalidate().catch(() => undefined);
    };
    const whenSeen = () => {
      if (isDue) ask();
    };
    const timer = setInterval(ask, autoRefreshMs);
    letProgramEnd(timer);
    page.document?.addEventListener?.('visibilitychange', whenSeen);
    this.#stopRefresh = () => {
      clearInterval(timer);
      page.document?.removeEventListener?.('visibilitychange', whenSeen);
    };
  }

  /** Stops `startAutoRefresh`. */
  stopAutoRefresh(): void {
    this.#stopRefresh?.();
    this.#stopRefresh = undefined;
  }
}
