// What administrators do to accounts, and users who delete their own.
import type { Account, Role, Status } from './model.js';
import {
  alone,
  type Answer,
  askAs,
  askAsService,
  judgeSession,
  liveSession,
  removeAccount,
  someAccount,
  trace,
  type Turn,
  violation,
} from './world.js';

const usersPath = '/api/admin/users';

/** Promotes a user, or demotes an administrator. */
export async function changeRole(turn: Turn): Promise<void> {
  const account = someAccount(turn);
  if (!account) return;
  await alone(account, 'status', async () => {
    const next: Role = account.role.latest === 'USER' ? 'ADMIN' : 'USER';
    const change = account.role.begin(next, turn.soak.clock.tick());
    const answer = await act(turn, account, next === 'ADMIN' ? 'promote' : 'demote');
    change.finish(answer.span.end);
  });
}

/** Deactivates a user, or activates an inactive one, which comes sooner: most users are active. */
export async function changeStatus(turn: Turn): Promise<void> {
  const account = someAccount(turn);
  if (!account) return;
  if (account.status.latest === 'active' && turn.chance.is(60)) return;
  await alone(account, 'status', () => setStatus(turn, account));
}

/** The same for a user whose status nobody else changes. */
export async function setStatus(turn: Turn, account: Account): Promise<void> {
  const next: Status = account.status.latest === 'active' ? 'inactive' : 'active';
  const at = turn.soak.clock.tick();
  const change = account.status.begin(next, at);
  const ending = account.beginEnding('status', at);
  const answer = await act(turn, account, next === 'active' ? 'activate' : 'deactivate');
  change.finish(answer.span.end);
  account.finishEnding(ending, answer.span.end);
}

async function act(turn: Turn, account: Account, action: string): Promise<Answer> {
  const path = `${usersPath}/${account.id}/${action}`;
  const answer = await askAsService(turn, { method: 'POST', path });
  trace(account, action, answer);
  if (answer.reply.status !== 200) throw violation('granted', account, { what: action, ...answer });
  return answer;
}

/** Ends every session of a user. */
export async function endSessions(turn: Turn): Promise<void> {
  const account = someAccount(turn);
  if (!account) return;
  await alone(account, 'status', async () => {
    const ending = account.beginEnding('end-sessions', turn.soak.clock.tick());
    const path = `${usersPath}/${account.id}/sessions`;
    const answer = await askAsService(turn, { method: 'DELETE', path });
    trace(account, 'end of all sessions', answer);
    if (answer.reply.status !== 204) {
      throw violation('granted', account, { what: 'end of all sessions', ...answer });
    }
    account.finishEnding(ending, answer.span.end);
  });
}

export async function deleteUser(turn: Turn): Promise<void> {
  const { world } = turn;
  const account = someAccount(turn);
  if (!account) return;
  await alone(account, 'status', async () => {
    if (account.status.latest === 'deleted') return;
    const change = account.status.begin('deleted', turn.soak.clock.tick());
    const path = `${usersPath}/${account.id}`;
    const answer = await askAsService(turn, { method: 'DELETE', path });
    trace(account, 'deletion', answer);
    if (answer.reply.status !== 204) {
      throw violation('granted', account, { what: 'deletion', ...answer });
    }
    change.finish(answer.span.end);
    removeAccount(world, account);
  });
}

/** A user deletes the own account by a session that is fresh. */
export async function deleteSelf(turn: Turn): Promise<void> {
  const { world } = turn;
  const session = liveSession(turn);
  if (!session) return;
  const { account } = session;
  await alone(account, 'status', async () => {
    if (account.status.latest === 'deleted') return;
    const change = account.status.begin('deleted', turn.soak.clock.tick());
    const answer = await askAs(turn, session, { method: 'DELETE', path: '/api/users' });
    trace(account, 'deletion by the user', answer);
    if (answer.reply.status === 204) {
      judgeSession(session, answer, { what: 'deletion by the user', isAccepted: true });
      change.finish(answer.span.end);
      removeAccount(world, account);
      return;
    }
    change.cancel();
    judgeSession(session, answer, { what: 'deletion by the user', isAccepted: false });
  });
}
