/** The session of a client as its program sees it: look at it, bring one, prolong it, end it, hear of it. */
import { refusal } from '../answer.js';
import { RowhouseError } from '../error.js';
import { letProgramEnd, page } from '../page.js';
import type { Session, SessionUser } from './session.js';
import type { AuthListener } from './session-source.js';
import { type AuthParts, liveSession, nobody, type SignInAnswer } from './sign-in-answer.js';
import { answered, type AuthAnswer, needTexts, noSession } from './wire.js';

/** How often a page asks whether its session lives, which also prolongs it. */
const autoRefreshMs = 10 * 60 * 1000;

export interface SessionTokens {
  readonly access_token?: string;
  /** The same by its other name. */
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

  /** @internal Clients make it. */
  constructor(parts: AuthParts) {
    this.parts = parts;
  }

  /** The session that this client keeps. Nothing is asked of the server: do not trust it on a server. */
  getSession(): Promise<
    AuthAnswer<{ readonly session: Session | null }, { readonly session: null }>
  > {
    const work = async () => ({ session: (await this.parts.source.find()) ?? null });
    return answered(work, { session: null });
  }

  /** The signed-in user, or the user of a token, as the server knows them now. */
  getUser(
    token?: string,
  ): Promise<AuthAnswer<{ readonly user: SessionUser | null }, { readonly user: null }>> {
    const work = async () => ({ user: (await liveSession(this.parts.source, token)).user ?? null });
    return answered(work, { user: null });
  }

  /**
   * Signs this client in with a session token from elsewhere. The server is asked about it first; a token
   * that it does not accept changes nothing. A refresh token is ignored: sessions have none.
   */
  setSession(tokens: SessionTokens): Promise<SignInAnswer> {
    return answered(async () => {
      const token = tokens.access_token ?? tokens.accessToken;
      needTexts({ access_token: token });
      const session = await liveSession(this.parts.source, token);
      await this.parts.source.keep(session, 'sign-in');
      return { session, user: session.user ?? null };
    }, nobody);
  }

  /** Asks the server whether the session lives, which prolongs it. */
  refreshSession(): Promise<SignInAnswer> {
    return answered(async () => {
      const verdict = await this.parts.source.revalidate();
      if (verdict?.kind === 'unknown') throw refusal(verdict.answer).error;
      if (verdict?.kind !== 'alive') throw noSession();
      const { session } = verdict;
      return { session, user: session.user ?? null };
    }, nobody);
  }

  /** Ends the session on the server and forgets it here, the latter even when the server cannot be reached. */
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
    // A session that the server does not know any more has ended, which is what was asked for.
    const hasEnded = error?.status === 401 && error.code !== 'INVALID_API_KEY';
    return { error: hasEnded ? null : error };
  }

  /**
   * Calls back with `INITIAL_SESSION` soon, once and before anything else, also for a visitor who is not
   * signed in, and then with every change of the session, in this tab or another.
   */
  onAuthStateChange(listener: AuthListener): {
    readonly data: { readonly subscription: { readonly unsubscribe: () => void } };
  } {
    return { data: { subscription: { unsubscribe: this.parts.source.subscribe(listener) } } };
  }

  /**
   * Asks every ten minutes whether the session lives, which prolongs it. Pages do so by default. A page that
   * is hidden pauses, and asks when it is seen again.
   */
  startAutoRefresh(): void {
    this.stopAutoRefresh();
    let isDue = false;
    const ask = () => {
      isDue = page.document?.visibilityState === 'hidden';
      // A server that cannot be reached now is asked again the next time.
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

  /** Ends what `startAutoRefresh` began. */
  stopAutoRefresh(): void {
    this.#stopRefresh?.();
    this.#stopRefresh = undefined;
  }
}
