import { describe, expect, test } from 'vitest';

import { Account, type Ending, type NewSession, verdictOf } from './model.js';

/** An account with one session that was begun at 2 to 3 with its first password. */
function begun(more: Partial<NewSession> = {}) {
  const account = new Account('id', 'ada@example.org', 1);
  const session = account.addSession({
    token: 'token',
    born: { begin: 2, end: 3 },
    passwordNumber: 0,
    ...more,
  });
  const at = (begin: number, end: number) => verdictOf(session, { begin, end });
  return { account, session, at };
}

const granted = { kind: 'granted' };
const either = { kind: 'either' };
const refused = (invariant: string) => ({ kind: 'refused', invariant });

/** A deactivation from 10 to 20, an activation from 30 to 40. */
function turnOffAndOn(account: Account): void {
  for (const [status, begin, end] of [
    ['inactive', 10, 20],
    ['active', 30, 40],
  ] as const) {
    const change = account.status.begin(status, begin);
    const ending = account.beginEnding('status', begin);
    change.finish(end);
    account.finishEnding(ending, end);
  }
}

describe('a session', () => {
  test('is accepted as long as nothing has happened', () => {
    expect(begun().at(4, 5)).toEqual(granted);
  });

  test.each([
    { name: 'ends before the deactivation begins', span: [4, 9], verdict: either },
    { name: 'meets the deactivation', span: [12, 15], verdict: either },
    { name: 'begins after its answer', span: [21, 25], verdict: refused('inactive') },
    { name: 'begins after the activation', span: [41, 45], verdict: refused('inactive') },
  ] as const)('of a deactivated user: a request that $name', ({ span, verdict }) => {
    const { account, at } = begun();
    turnOffAndOn(account);
    // What came before is judged when it is answered; afterwards the ending is known and counts as possible.
    expect(at(span[0], span[1])).toEqual(verdict);
  });

  test('that is begun after the activation is accepted', () => {
    const { account } = begun();
    turnOffAndOn(account);
    const later = account.addSession({
      token: 'later',
      born: { begin: 41, end: 42 },
      passwordNumber: 0,
    });
    expect(verdictOf(later, { begin: 43, end: 44 })).toEqual(granted);
  });

  test('of a deleted user is refused from the answer on', () => {
    const { account, at } = begun();
    const change = account.status.begin('deleted', 10);
    expect(at(11, 12)).toEqual(either);
    change.finish(20);
    expect(at(21, 22)).toEqual(refused('inactive'));
  });

  test('is accepted again when the request that would have ended it was refused', () => {
    const { account, at } = begun();
    const ending = account.beginEnding('end-sessions', 10);
    expect(at(11, 12)).toEqual(either);
    account.cancelEnding(ending);
    expect(at(11, 13)).toEqual(granted);
  });

  test('ends by its own sign-out, and no other one does', () => {
    const { account, session, at } = begun();
    const other = account.addSession({
      token: 'other',
      born: { begin: 4, end: 5 },
      passwordNumber: 0,
    });
    account.finishEnding(account.beginEnding('sign-out', 10, { only: session }), 20);
    expect(at(21, 22)).toEqual(refused('ended'));
    expect(verdictOf(other, { begin: 21, end: 22 })).toEqual(granted);
  });
});

describe('a reset of the password from 10 to 20', () => {
  const reset = (account: Account): Ending =>
    account.beginEnding('password', 10, { passwordNumber: 1 });

  test.each([
    { name: 'before it', begin: 4, end: 5 },
    { name: 'across its beginning', begin: 8, end: 12 },
    { name: 'within it', begin: 12, end: 15 },
    { name: 'across its end', begin: 15, end: 25 },
  ])('ends a session by the old password that was begun $name', ({ begin, end }) => {
    const { account } = begun();
    const ending = reset(account);
    const add = () => account.addSession({ token: 'old', born: { begin, end }, passwordNumber: 0 });
    const early = end < 20 ? add() : undefined;
    account.finishEnding(ending, 20);
    const session = early ?? add();
    expect(verdictOf(session, { begin: 26, end: 27 })).toEqual(refused('reset'));
  });

  test('may end a session by the new one that was begun within it, and no later one', () => {
    const { account } = begun();
    const ending = reset(account);
    const born = { begin: 15, end: 16 };
    const within = account.addSession({ token: 'new', born, passwordNumber: 1 });
    account.finishEnding(ending, 20);
    const later = account.addSession({
      token: 'later',
      born: { begin: 21, end: 22 },
      passwordNumber: 1,
    });
    expect(verdictOf(within, { begin: 23, end: 24 })).toEqual(either);
    expect(verdictOf(later, { begin: 23, end: 24 })).toEqual(granted);
  });
});

test('a history knows what may have held at some moment of a request', () => {
  const { role } = new Account('id', 'ada@example.org', 1);
  role.begin('ADMIN', 10).finish(20);
  const pending = role.begin('USER', 30);
  expect(role.possible({ begin: 2, end: 9 })).toEqual(['USER']);
  expect(role.possible({ begin: 5, end: 15 })).toEqual(['USER', 'ADMIN']);
  expect(role.possible({ begin: 21, end: 29 })).toEqual(['ADMIN']);
  expect(role.possible({ begin: 35, end: 40 })).toEqual(['ADMIN', 'USER']);
  pending.finish(45);
  expect(role.possible({ begin: 46, end: 50 })).toEqual(['USER']);
});
