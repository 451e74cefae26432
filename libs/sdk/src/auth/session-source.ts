/**
 * The session of a client: one token, kept in a storage. It asks the server whether the session still
 * lives, and tells listeners and other tabs what happens to it. It knows no queries and no ways to sign in.
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

export type AuthListener = (event: AuthEvent, session: Session | null) => unknown;

/** What the server says of a token. */
export type Verdict =
  | { readonly kind: 'alive'; readonly session: Session }
  | { readonly kind: 'gone' }
  /** The server could not be asked, or did not answer the question. */
  | { readonly kind: 'unknown'; readonly answer: WireAnswer };

/** What is kept beside the session, each under its own name. */
export type Memo =
  /** Stands for the right password while the second factor is awaited. */
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
  readonly #tellTabs: (message: TabMessage) => void;
  #state: SessionState = 'unread';
  #arrival: Promise<unknown> | undefined;
  #revalidation: Promise<Verdict> | undefined;

  constructor({ storage, storageKey, exchange }: SessionSourceOptions) {
    this.#storage = storage;
    this.#key = storageKey;
    this.#exchange = exchange;
    let heard = Promise.resolve();
    this.#tellTabs = joinTabs(storageKey, (message) => {
      // One after the other. A storage that fails here fails whoever uses this tab next, and tells them.
      heard = heard.then(() => this.#hearTab(message)).catch(() => undefined);
    });
  }

  /** Lets everybody who looks for a session wait for one that is just arriving. */
  awaitArrival(arrival: Promise<unknown>): void {
    this.#arrival = arrival.catch(() => undefined);
  }

  /** The session that is kept, without asking the server. */
  async find(): Promise<Session | undefined> {
    await this.#arrival;
    return this.#read();
  }

  /** Keeps a session without a word. Gives the text that it is kept as. */
  async store(session: Session): Promise<string> {
    const text = storedText(session, this.#storage.maxLength);
    await this.#storage.setItem(this.#key, text);
    return text;
  }

  /** Keeps a session and tells listeners and tabs what happened. A challenge that was open is over. */
  async keep(session: Session, happening: Happening): Promise<void> {
    const text = await this.store(session);
    if (happening === 'sign-in' || happening === 'second-factor') await this.memorize('mfa');
    this.#happen(happening, session);
    this.#tellTabs({ happening, token: session.access_token, text });
  }

  /** Keeps what stands for the right password until the second factor is given. */
  async challenge(token: string): Promise<void> {
    await this.memorize('mfa', token);
    this.#happen('challenge', null);
  }

  /** Forgets the session, and tells listeners and tabs. */
  async clear(): Promise<void> {
    const ended = await this.#read();
    await this.#storage.removeItem(this.#key);
    await this.memorize('mfa');
    this.#happen('end', null);
    if (ended) this.#tellTabs({ happening: 'end', token: ended.access_token });
  }

  /** Forgets the session if its token is still this one. */
  async end(token: string): Promise<void> {
    if ((await this.#read())?.access_token === token) await this.clear();
  }

  /** What was kept under a name beside the session. */
  async recall(memo: Memo): Promise<string | undefined> {
    return (await this.#storage.getItem(`${this.#key}.${memo}`)) || undefined;
  }

  /** Keeps a text beside the session, or forgets it. */
  async memorize(memo: Memo, text?: string): Promise<void> {
    const key = `${this.#key}.${memo}`;
    if (text !== undefined) await this.#storage.setItem(key, text);
    else if (await this.#storage.getItem(key)) await this.#storage.removeItem(key);
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
      return { kind: 'alive', session: answeredSession(token, body) };
    }
    // The engine answers 200 and null for a token that it does not know.
    if (answer.status === 200 && (body === null || answer.text === '')) return { kind: 'gone' };
    return { kind: 'unknown', answer };
  }

  /**
   * Asks the server whether the kept session lives, once for all who ask meanwhile. A session that is gone
   * is cleared. Gives undefined when there is none, or when its token is not `ofToken`.
   */
  async revalidate(ofToken?: string): Promise<Verdict | undefined> {
    const session = await this.find();
    if (!session || session.access_token !== (ofToken ?? session.access_token)) return undefined;
    this.#revalidation ??= this.#judge(session.access_token).finally(() => {
      this.#revalidation = undefined;
    });
    return this.#revalidation;
  }

  /** Tells a listener the session of now and, after that, every change. Gives the way to end that. */
  subscribe(listener: AuthListener): () => void {
    const hear = (event: AuthEvent, session: Session | null) => {
      if (this.#queues.has(queue)) void tell(listener, event, session);
    };
    const start = (session: Session | undefined) => {
      const { events } = this.#advance(session ? 'found' : 'not-found');
      for (const event of events) hear(event, session ?? null);
    };
    // Each call waits for the one before it, so that INITIAL_SESSION comes first and nothing overtakes.
    let last = this.find().then(start, () => start(undefined));
    const queue = (event: AuthEvent, session: Session | null) => {
      last = last.then(() => hear(event, session));
    };
    this.#queues.add(queue);
    return () => this.#queues.delete(queue);
  }

  async #judge(token: string): Promise<Verdict> {
    const verdict = await this.ask(token);
    // Somebody may have signed in or out meanwhile: then the verdict is about no session of now.
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
   * What another tab says is true here when this tab's storage shows the same: tabs that do not share
   * their storage are signed in on their own, and lose their session only when it is the one that ended.
   */
  async #hearTab({ happening, token, text }: TabMessage): Promise<void> {
    await this.#arrival;
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

/** Whether an answer means that the session is gone. A key that the project refuses says nothing of it. */
export function refusesSession(answer: WireAnswer): boolean {
  return answer.status === 401 && refusal(answer).error.code !== 'INVALID_API_KEY';
}

/** A listener's fault is its own: it must not keep others from hearing. */
async function tell(
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
 * Sends requests as the signed-in user. A request that names its own `authorization` is left alone. When the
 * server refuses the token (401) or ignores it, the session is revalidated. The caller gets the answer as it
 * is: the request is not sent again.
 */
export function withSession(exchange: Exchange, session: SessionSource): Exchange {
  /** A token that the server ignored although its session lives: it is not asked about that one again. */
  let disputed: string | undefined;
  return async (request) => {
    if (request.headers['authorization'] !== undefined) return exchange(request);
    const token = (await session.find())?.access_token;
    if (token === undefined) return exchange(request);
    const authorization = `Bearer ${token}`;
    const answer = await exchange({ ...request, headers: { ...request.headers, authorization } });
    const isIgnored = ignoresToken(answer);
    // Whether the server can be asked or not, the caller gets its answer.
    if (refusesToken(answer) || (isIgnored && disputed !== token)) {
      const verdict = await session.revalidate(token).catch(() => undefined);
      if (isIgnored && verdict?.kind === 'alive') disputed = token;
    } else if (!isIgnored) disputed = undefined;
    return answer;
  };
}

/** Whether an answer refuses the token. A wrong password or code (`INVALID_…`) is another matter. */
function refusesToken(answer: WireAnswer): boolean {
  return answer.status === 401 && !refusal(answer).error.code.startsWith('INVALID_');
}

/** Whether the server served a request as a visitor's because the token is not valid (RFC 6750 §3.1). */
function ignoresToken({ status, headers }: WireAnswer): boolean {
  return status !== 401 && !!headers.get('www-authenticate')?.includes('error="invalid_token"');
}
