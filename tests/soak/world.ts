// The projects under load, the requests to them, and how each must end.
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import type { Chance } from './chance.js';
import { Clock, type Span } from './history.js';
import { type Invariant, Violation } from './invariants.js';
import { type Account, type Session, verdictOf } from './model.js';
import type { Tally } from './tally.js';

const maxGraves = 100;

/** One project and what is known of it. */
export interface World {
  readonly project: ProjectUnderTest;
  /** Those who are there for certain; whoever is being deleted is in it until the answer. */
  readonly accounts: Set<Account>;
  /** Sessions of users who are gone. */
  graves: Session[];
}

/** What all workers share. */
export interface Soak {
  readonly worlds: readonly World[];
  readonly clock: Clock;
  readonly tally: Tally;
  /** Users that a project is kept at, about. */
  readonly usersPerProject: number;
  /** The number of the next new address. */
  nextAddress: number;
}

/** A worker's turn: whom it works on and what decides. */
export interface Turn {
  readonly soak: Soak;
  readonly world: World;
  readonly chance: Chance;
  /** The name of the step, for the table at the end. */
  readonly step: string;
}

export interface Answer {
  readonly reply: Reply;
  readonly span: Span;
}

/** Sends a request as `call` says; nothing may be answered with 5xx. */
export async function ask(
  { soak, step }: Turn,
  call: Call,
  through: (call: Call) => Promise<Reply>,
): Promise<Answer> {
  const begin = soak.clock.tick();
  const what = `${step}, ${call.method ?? 'GET'} ${call.path}`;
  const reply = await through(call).catch((error: unknown) => {
    throw new Violation('answered', `${what}: ${String(error)}`);
  });
  const span = { begin, end: soak.clock.tick() };
  soak.tally.count(step, reply.status < 400);
  if (reply.status >= 500) {
    throw new Violation('answered', `${what} answered ${reply.status} ${reply.text}`);
  }
  return { reply, span };
}

export function askAsService(turn: Turn, call: Call): Promise<Answer> {
  return ask(turn, call, (each) => turn.world.project.asService(each));
}

/** A request with a session; `world` may be another than the one of the session. */
export function askAs(turn: Turn, { token }: Pick<Session, 'token'>, call: Call): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...call.headers };
  return ask(turn, { ...call, headers }, (each) => turn.world.project.send(each));
}

/** A violation that concerns an account, told with its last steps. */
export function violation(
  invariant: Invariant,
  account: Account,
  { what, span, reply }: { readonly what: string } & Answer,
): Violation {
  const said = `${span.begin}-${span.end} ${what} → ${reply.status} ${reply.text.slice(0, 200)}`;
  return new Violation(invariant, `${account.email}: ${said}`, account.trace);
}

/** Writes a step into the trace of the account. */
export function trace(account: Account, what: string, { reply, span }: Answer): void {
  account.note(`${span.begin}-${span.end} ${what} → ${reply.status}`);
}

/** Compares what a request with a session got with what the session is worth. */
export function judgeSession(
  session: Session,
  answer: Answer,
  { what, isAccepted }: { readonly what: string; readonly isAccepted: boolean },
): void {
  const { account, born } = session;
  const verdict = verdictOf(session, answer.span);
  const named = `${what} with the session of ${born.begin}-${born.end}`;
  if (verdict.kind === 'refused' && isAccepted) {
    throw violation(verdict.invariant, account, { what: named, ...answer });
  }
  if (verdict.kind === 'granted' && !isAccepted) {
    throw violation('granted', account, { what: named, ...answer });
  }
}

/** A user of the project; undefined while there is none. */
export function someAccount({ world, chance }: Turn): Account | undefined {
  return chance.pick([...world.accounts]);
}

/** A session that lives or may live. */
export function liveSession({ world, chance }: Turn): Session | undefined {
  const holders = [...world.accounts].filter(({ sessions }) => sessions.size > 0);
  return chance.pick([...(chance.pick(holders)?.sessions ?? [])]);
}

/** A session of any kind: live, dead, or of a user who is gone. */
export function anySession(turn: Turn): Session | undefined {
  const { world, chance } = turn;
  if (chance.is(70)) return liveSession(turn);
  if (chance.is(30)) return chance.pick(world.graves);
  return chance.pick(someAccount(turn)?.dead ?? []);
}

/** Takes an account out that was deleted; its sessions are still tried. */
export function removeAccount(world: World, account: Account): void {
  world.accounts.delete(account);
  world.graves = [...world.graves, ...account.sessions, ...account.dead].slice(-maxGraves);
}

/** Runs `work` when nobody else changes the same of the account; else this turn is over. */
export async function alone(
  account: Account,
  what: 'status' | 'password',
  work: () => Promise<void>,
): Promise<void> {
  if (account.busy.has(what)) return;
  account.busy.add(what);
  try {
    await work();
  } finally {
    account.busy.delete(what);
  }
}
