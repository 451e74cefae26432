/**
 * The session of a client: one token, kept in a storage. It checks with the server whether the session is alive, and
 * informs listeners and other tabs of changes. It knows no queries and no sign-in methods.
 */
import { refusal } from '../answer.js';
import { isRecord, parseJson } from '../json.js';
import type { Exchange, WireAnswer } from '../request.js';
import type { SessionStorage } from '../storage.js';
import { answeredSession, readStored, type Session, storedText } from './session.js';
import {
  type AuthEvent,
  type Happening,
  type SessionState,
  type Step,
  TRANSITIONS,
} from './states.js';
import { joinTabs, lookRepeatedly, type TabMessage } from './tabs.js';
import type { TokenSource } from './token-source.js';

export type AuthListener = (event: AuthEvent, session: Session | null) => unknown;

/** The result of checking a token with the server. */
export type Verdict =
  | { readonly kind: 'alive'; readonly session: Session }
  | { readonly kind: 'gone' }
  /** The server could not be reached, or gave another answer. */
  | { readonly kind: 'unknown'; readonly answer: WireAnswer };

/** Further stored values, each under its own name. */
export type Memo =
  /** Proves the correct password while the second factor is missing. */
  | 'mfa'
  /** Proves that this device passed a second factor. It outlives sessions. */
  | 'trust'
  /** Proves that a redirect flow began here (RFC 7636 §4.1). */
  | 'flow';

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
  readonly #publish: (message: TabMessage) => void;
  #state: SessionState = 'unread';
  #pendingSignIn: Promise<unknown> | undefined;
  #revalidation: Promise<Verdict> | undefined;

  constructor({ storage, storageKey, exchange }: SessionSourceOptions) {
    this.#storage = storage;
    this.#key = storageKey;
    this.#exchange = exchange;
    let last = Promise.resolve();
    this.#publish = joinTabs(storageKey, (message) => {
      // One after the other. A storage that fails here will also fail, with an error, in the next call of this tab.
      last = last.then(() => this.#applyTabMessage(message)).catch(() => undefined);
    });
  }

  /** Makes {@link find} wait for a sign-in in progress. */
  awaitSignIn(signIn: Promise<unknown>): void {
    this.#pendingSignIn = signIn.catch(() => undefined);
  }

  /** The stored session, without a request to the server. */
  async find(): Promise<Session | undefined> {
    await this.#pendingSignIn;
    return this.#read();
  }

  /** Stores a session without informing listeners. Returns the stored text. */
  async store(session: Session): Promise<string> {
    const text = storedText(session, this.#storage.maxLength);
    await this.#storage.setItem(this.#key, text);
    return text;
  }

  /** Stores a session and informs listeners and tabs. An open challenge ends. */
  async keep(session: Session, happening: Happening): Promise<void> {
    const text = await this.store(session);
    if (happening === 'sign-in' || happening === 'second-factor') await this.memorize('mfa');
    this.#happen(happening, session);
    this.#publish({ happening, token: session.access_token, text });
  }

  /** Stores the proof of the password until the second factor is verified. */
  async challenge(token: string): Promise<void> {
    await this.memorize('mfa', token);
    this.#happen('challenge', null);
  }

  /** Removes the session, and informs listeners and tabs. */
  async clear(): Promise<void> {
    const ended = await this.#read();
    await this.#storage.removeItem(this.#key);
    await this.memorize('mfa');
    this.#happen('end', null);
    if (ended) this.#publish({ happening: 'end', token: ended.access_token });
  }

  /** Removes the session if its token is still this one. */
  async end(token: string): Promise<void> {
    if ((await this.#read())?.access_token === token) await this.clear();
  }

  /** Returns the stored value with this name. */
  async recall(memo: Memo): Promise<string | undefined> {
    return (await this.#storage.getItem(`${this.#key}.${memo}`)) || undefined;
  }

  /** Stores a value beside the session, or removes it. */
  async memorize(memo: Memo, text?: string): Promise<void> {
    const key = `${this.#key}.${memo}`;
    if (text !== undefined) await this.#storage.setItem(key, text);
    else if (await this.#storage.getItem(key)) await this.#storage.removeItem(key);
  }

  /** Checks a token with the server. */
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
      return { kind: 'alive', session: answeredSession(token, body) };
    }
    // The engine answers 200 and null for a token that it does not know.
    if (answer.status === 200 && (body === null || answer.text === '')) return { kind: 'gone' };
    return { kind: 'unknown', answer };
  }

  /**
   * Checks with the server whether the stored session is alive; simultaneous calls share one request. Removes a session
   * that is gone. Returns undefined if there is none, or if its token is not `ofToken`.
   */
  async revalidate(ofToken?: string): Promise<Verdict | undefined> {
    const session = await this.find();
    if (!session || session.access_token !== (ofToken ?? session.access_token)) return undefined;
    this.#revalidation ??= this.#check(session.access_token).finally(() => {
      this.#revalidation = undefined;
    });
    return this.#revalidation;
  }

  /** Calls a listener with the current session and, after that, with every change. The returned function ends that. */
  subscribe(listener: AuthListener): () => void {
    const notify = (event: AuthEvent, session: Session | null) => {
      if (this.#queues.has(queue)) void callListener(listener, event, session);
    };
    const start = (session: Session | undefined) => {
      const { events } = this.#advance(session ? 'found' : 'not-found');
      for (const event of events) notify(event, session ?? null);
    };
    // Each call waits for the one before it, so that INITIAL_SESSION comes first and the order is kept.
    let last = this.find().then(start, () => start(undefined));
    const queue = (event: AuthEvent, session: Session | null) => {
      last = last.then(() => notify(event, session));
    };
    this.#queues.add(queue);
    return () => this.#queues.delete(queue);
  }

  async #check(token: string): Promise<Verdict> {
    const verdict = await this.ask(token);
    // After a sign-in or sign-out meanwhile, the result is not about the current session.
    if (verdict.kind === 'gone') await this.end(token);
    else if (verdict.kind === 'alive' && (await this.#read())?.access_token === token) {
      await this.keep(verdict.session, 'refresh');
    }
    return verdict;
  }

  async #read(): Promise<Session | undefined> {
    return readStored(await this.#storage.getItem(this.#key));
  }

  /**
   * Applies the message of another tab if this tab's storage shows the same. Tabs that do not share their storage are
   * signed in separately, and lose their session only if it is the one that ended.
   */
  async #applyTabMessage({ happening, token, text }: TabMessage): Promise<void> {
    await this.#pendingSignIn;
    if (happening !== 'end') {
      await lookRepeatedly(async () => (await this.#storage.getItem(this.#key)) === text);
    }
    const session = await this.#read();
    const isSame = session?.access_token === token;
    if (happening !== 'end') {
      if (session && isSame) this.#happen(happening, session);
      return;
    }
    if (session && !isSame) return;
    if (session) await this.#storage.removeItem(this.#key);
    this.#happen('end', null);
  }

  #advance(happening: Happening): Step {
    const step: Step = TRANSITIONS[this.#state][happening];
    this.#state = step.next;
    return step;
  }

  #happen(happening: Happening, session: Session | null): void {
    for (const event of this.#advance(happening).events) {
      for (const queue of this.#queues) queue(event, session);
    }
  }
}

/** Whether an answer means that the session is gone. If the project refuses the key, the session may be alive. */
export function refusesSession(answer: WireAnswer): boolean {
  return answer.status === 401 && refusal(answer).error.code !== 'INVALID_API_KEY';
}

/** An error in a listener must not affect other listeners. */
async function callListener(
  listener: AuthListener,
  event: AuthEvent,
  session: Session | null,
): Promise<void> {
  try {
    await listener(event, session);
  } catch (thrown) {
    console.error('A listener of onAuthStateChange failed', thrown);
  }
}

/**
 * Sends requests as the signed-in user. A request with its own `authorization` is left alone. If the server refuses the
 * token (401) or ignores it, the session is checked. The caller receives the answer unchanged: the request is not sent
 * again.
 */
export function withSession(
  exchange: Exchange,
  session: Pick<TokenSource, 'find' | 'revalidate'>,
): Exchange {
  /** A token that the server ignored although its session is alive: it is not checked again for that. */
  let disputed: string | undefined;
  return async (request) => {
    if (request.headers['authorization'] !== undefined) return exchange(request);
    const token = (await session.find())?.access_token;
    if (token === undefined) return exchange(request);
    const authorization = `Bearer ${token}`;
    const answer = await exchange({ ...request, headers: { ...request.headers, authorization } });
    const isIgnored = ignoresToken(answer);
    // The caller receives its answer even if the server cannot be reached.
    if (refusesToken(answer) || (isIgnored && disputed !== token)) {
      const verdict = await session.revalidate(token).catch(() => undefined);
      if (isIgnored && verdict?.kind === 'alive') disputed = token;
    } else if (!isIgnored) disputed = undefined;
    return answer;
  };
}

/** Whether an answer refuses the token. A wrong password or code (`INVALID_…`) does not count. */
function refusesToken(answer: WireAnswer): boolean {
  return answer.status === 401 && !refusal(answer).error.code.startsWith('INVALID_');
}

/** Whether the server treated the request as a visitor's because the token is not valid (RFC 6750 §3.1). */
function ignoresToken({ status, headers }: WireAnswer): boolean {
  return status !== 401 && !!headers.get('www-authenticate')?.includes('error="invalid_token"');
}
