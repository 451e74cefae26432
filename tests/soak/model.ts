// What is known of accounts and sessions from the requests that were answered. Requests to one account run side
// by side, so some things are certain, and others may be so or not until the next request.
import { History, type Span } from './history.js';
import type { Invariant } from './invariants.js';

export type Status = 'active' | 'inactive' | 'deleted';
export type Role = 'USER' | 'ADMIN';

/** What ends sessions. */
export type EndingKind = 'sign-out' | 'password' | 'status' | 'end-sessions';

/** A request that ends sessions of an account. */
export interface Ending {
  readonly kind: EndingKind;
  readonly begin: number;
  /** Undefined while the answer is awaited. */
  end: number | undefined;
  /** The number of the new password; sessions by earlier ones end. */
  readonly passwordNumber: number;
}

export interface Session {
  readonly account: Account;
  readonly token: string;
  readonly born: Span;
  /** The number of the password that the session was begun with. */
  passwordNumber: number;
  /** Requests that may have ended it; none of them must have. */
  readonly dangers: Set<Ending>;
  ended: { readonly kind: EndingKind; readonly at: number } | undefined;
}

export interface NewSession {
  readonly token: string;
  readonly born: Span;
  readonly passwordNumber: number;
}

/** How a request with a session must end. */
export type Verdict =
  | { readonly kind: 'granted' }
  | { readonly kind: 'either' }
  | { readonly kind: 'refused'; readonly invariant: Invariant };

const maxEndings = 64;
const maxDead = 20;
const maxTrace = 12;

const INVARIANT_OF = {
  'sign-out': 'ended',
  'end-sessions': 'ended',
  password: 'reset',
  status: 'inactive',
} as const satisfies Record<EndingKind, Invariant>;

export class Account {
  readonly status: History<Status>;
  readonly role: History<Role>;
  /** Passwords are numbered, see {@link passwordText}. */
  readonly password: History<number>;
  /** Sessions that live or may live. */
  readonly sessions = new Set<Session>();
  /** The last sessions that have ended. */
  dead: Session[] = [];
  /** What one worker changes at a time, so that it is known what holds afterwards. */
  readonly busy = new Set<'status' | 'password'>();
  trace: string[] = [];
  #endings: Ending[] = [];

  constructor(
    readonly id: string,
    readonly email: string,
    bornAt: number,
  ) {
    this.status = new History<Status>('active', bornAt);
    this.role = new History<Role>('USER', bornAt);
    this.password = new History<number>(0, bornAt);
  }

  addSession({ token, born, passwordNumber }: NewSession): Session {
    const dangers = new Set<Ending>();
    const session: Session = {
      account: this,
      token,
      born,
      passwordNumber,
      dangers,
      ended: undefined,
    };
    this.sessions.add(session);
    for (const ending of this.#endings) {
      if (ending.end !== undefined && ending.end < born.begin) continue;
      dangers.add(ending);
      if (ending.end !== undefined && covers(ending, session)) this.#bury(session, ending);
    }
    return session;
  }

  /** A request that ends all sessions but `spared`, or `only` one, is sent now. */
  beginEnding(
    kind: EndingKind,
    begin: number,
    aim: {
      readonly spared?: Session;
      readonly only?: Session;
      readonly passwordNumber?: number;
    } = {},
  ): Ending {
    const { spared, only, passwordNumber = -1 } = aim;
    const ending: Ending = { kind, begin, end: undefined, passwordNumber };
    // Sessions that begin meanwhile are in no danger of a request about another one.
    if (!only) this.#endings = [...this.#endings, ending].slice(-maxEndings);
    for (const session of only ? [only] : this.sessions) {
      if (session !== spared) session.dangers.add(ending);
    }
    return ending;
  }

  finishEnding(ending: Ending, end: number): void {
    ending.end = end;
    for (const session of this.sessions) {
      if (session.dangers.has(ending) && covers(ending, session)) this.#bury(session, ending);
    }
  }

  /** The request was refused: nothing has ended. */
  cancelEnding(ending: Ending): void {
    this.#endings = this.#endings.filter((each) => each !== ending);
    for (const session of this.sessions) session.dangers.delete(ending);
  }

  note(step: string): void {
    this.trace = [...this.trace, step].slice(-maxTrace);
  }

  #bury(session: Session, { kind, end }: Ending): void {
    if (end === undefined || session.ended) return;
    session.ended = { kind, at: end };
    session.dangers.clear();
    this.sessions.delete(session);
    this.dead = [...this.dead, session].slice(-maxDead);
  }
}

/** Whether a request has certainly ended a session that it is a danger to. */
function covers(ending: Ending, session: Session): boolean {
  // Whenever the sign-in came, the password that it used is none any more.
  if (ending.kind === 'password') return session.passwordNumber < ending.passwordNumber;
  return session.born.end < ending.begin;
}

/** How a request with the session must end that was under way in `span`. */
export function verdictOf({ account, ended, dangers }: Session, span: Span): Verdict {
  const statuses = account.status.possible(span);
  if (!statuses.includes('active')) return { kind: 'refused', invariant: 'inactive' };
  if (ended && ended.at < span.begin) {
    return { kind: 'refused', invariant: INVARIANT_OF[ended.kind] };
  }
  const isCertain = !ended && dangers.size === 0 && statuses.length === 1;
  return { kind: isCertain ? 'granted' : 'either' };
}

/** The text of a password. */
export function passwordText({ email }: Pick<Account, 'email'>, number: number): string {
  return `${email} has password ${number}`;
}
