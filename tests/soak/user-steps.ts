// What users do with their accounts and sessions, and what a session gets.
import { Account, passwordText, type Session } from './model.js';
import {
  alone,
  type Answer,
  anySession,
  ask,
  askAs,
  judgeSession,
  liveSession,
  someAccount,
  trace,
  type Turn,
  violation,
} from './world.js';
import { textAt } from '../support/replies.js';

const maxSessions = 6;

/** A new account with a row of its own. */
export async function signUp(turn: Turn): Promise<void> {
  const { soak } = turn;
  soak.nextAddress += 1;
  const email = `user${soak.nextAddress}@example.org`;
  const answer = await sendSignUp(turn, email);
  if (answer.reply.status !== 200) {
    throw violation('granted', new Account('', email, 0), { what: 'sign-up', ...answer });
  }
  await settleIn(turn, email, answer);
}

/** A sign-up with an address that somebody has, and keeps meanwhile. */
export async function signUpTaken(turn: Turn): Promise<void> {
  const account = someAccount(turn);
  if (!account) return;
  await alone(account, 'status', async () => {
    const answer = await sendSignUp(turn, account.email);
    trace(account, 'sign-up with the same address', answer);
    if (answer.reply.status === 422) return;
    throw violation('counts', account, { what: 'sign-up with the same address', ...answer });
  });
}

function sendSignUp(turn: Turn, email: string): Promise<Answer> {
  const body = { email, password: passwordText({ email }, 0) };
  const call = { method: 'POST', path: '/api/auth/sign-up/email', body };
  return ask(turn, call, (each) => turn.world.project.send(each));
}

/** Others meet the account when its row is there. */
async function settleIn(turn: Turn, email: string, { reply, span }: Answer): Promise<void> {
  const account = new Account(textAt(reply.body, 'user', 'id'), email, span.begin);
  const token = textAt(reply.body, 'token');
  const session = account.addSession({ token, born: span, passwordNumber: 0 });
  trace(account, 'sign-up', { reply, span });
  const inserted = await askAs(turn, session, { method: 'POST', path: '/rest/v1/notes', body: {} });
  if (inserted.reply.status !== 201) {
    throw violation('granted', account, { what: 'insert of a row', ...inserted });
  }
  turn.world.accounts.add(account);
}

/** A sign-in with the newest password, or with one that it was before. */
export async function signIn(turn: Turn): Promise<void> {
  const account = someAccount(turn);
  if (!account || account.sessions.size >= maxSessions) return;
  const newest = account.password.latest;
  const number = turn.chance.is(85) ? newest : newest - 1;
  const answer = await sendSignIn(turn, account, passwordText(account, number));
  const { reply, span } = answer;
  const what = `sign-in with password ${number}`;
  trace(account, what, answer);
  const statuses = account.status.possible(span);
  const numbers = account.password.possible(span);
  const mayBeRight = numbers.includes(number);
  const isRight = mayBeRight && numbers.length === 1;
  const isActive = statuses.length === 1 && statuses[0] === 'active';
  if (reply.status === 200) {
    if (!mayBeRight) throw violation('reset', account, { what, ...answer });
    if (!statuses.includes('active')) throw violation('inactive', account, { what, ...answer });
    const token = textAt(reply.body, 'token');
    account.addSession({ token, born: span, passwordNumber: number });
  } else if ((isRight && isActive) || ![401, 403].includes(reply.status)) {
    throw violation('granted', account, { what, ...answer });
  }
}

function sendSignIn(turn: Turn, { email }: Account, password: string): Promise<Answer> {
  const call = { method: 'POST', path: '/api/auth/sign-in/email', body: { email, password } };
  return ask(turn, call, (each) => turn.world.project.send(each));
}

export async function signOut(turn: Turn): Promise<void> {
  const session = liveSession(turn);
  if (!session) return;
  const { account } = session;
  const ending = account.beginEnding('sign-out', turn.soak.clock.tick(), { only: session });
  const answer = await askAs(turn, session, { method: 'POST', path: '/api/auth/sign-out' });
  trace(account, `sign-out of the session of ${session.born.begin}`, answer);
  // A session that is gone already is signed out without complaint.
  if (answer.reply.status === 200) account.finishEnding(ending, answer.span.end);
  else account.cancelEnding(ending);
  if (answer.reply.status >= 400) {
    judgeSession(session, answer, { what: 'sign-out', isAccepted: false });
  }
}

/** Reads the rows that are the user's own. */
export async function readRows(turn: Turn): Promise<void> {
  const session = anySession(turn);
  if (session) await readRowsOf(turn, session);
}

/** Whether the session was accepted. */
export async function readRowsOf(turn: Turn, session: Session): Promise<boolean> {
  const { account } = session;
  const path = '/rest/v1/notes?select=owner,project';
  const answer = await askAs(turn, session, { path });
  const { status, body } = answer.reply;
  const rows = status === 200 && Array.isArray(body) ? body : [];
  const isAccepted = rows.length > 0;
  const own = JSON.stringify([{ owner: account.id, project: turn.world.project.ref }]);
  const isRefusal = status === 403 || (status === 200 && rows.length === 0);
  if (isAccepted ? JSON.stringify(rows) !== own : !isRefusal) {
    throw violation('apart', account, { what: 'rows of somebody else', ...answer });
  }
  judgeSession(session, answer, { what: 'rows', isAccepted });
  return isAccepted;
}

/** Asks the auth engine who is signed in. */
export async function readSession(turn: Turn): Promise<void> {
  const session = anySession(turn);
  if (!session) return;
  const answer = await askAs(turn, session, { path: '/api/auth/get-session' });
  const { status, body } = answer.reply;
  const isAccepted = status === 200 && body !== null;
  if (isAccepted && textAt(body, 'user', 'id') !== session.account.id) {
    throw violation('apart', session.account, { what: 'session of somebody else', ...answer });
  }
  judgeSession(session, answer, { what: 'get-session', isAccepted });
}

/** Tries a route for administrators. */
export async function readAsAdmin(turn: Turn): Promise<void> {
  const session = anySession(turn);
  if (!session) return;
  const { account } = session;
  const path = `/api/admin/users/${account.id}`;
  const answer = await askAs(turn, session, { path });
  const { status } = answer.reply;
  const roles = account.role.possible(answer.span);
  const what = 'an admin route';
  if (status === 200) {
    judgeSession(session, answer, { what, isAccepted: true });
    if (!roles.includes('ADMIN')) throw violation('demoted', account, { what, ...answer });
    return;
  }
  const isGone = status === 404 && account.status.possible(answer.span).includes('deleted');
  if (![401, 403].includes(status) && !isGone) {
    throw violation('granted', account, { what, ...answer });
  }
  const isAdmin = roles.length === 1 && roles[0] === 'ADMIN';
  if (isAdmin) judgeSession(session, answer, { what, isAccepted: false });
}

/** Tries what belongs to one project on another. */
export async function tryElsewhere(turn: Turn): Promise<void> {
  const { soak, world, chance } = turn;
  const other = chance.pick(soak.worlds.filter((each) => each !== world));
  const session = liveSession(turn);
  if (!other || !session) return;
  const { account } = session;
  const there = { ...turn, world: other };
  const rows = await askAs(there, session, { path: '/rest/v1/notes' });
  const known = await askAs(there, session, { path: '/api/auth/get-session' });
  const admin = await askAs(there, session, { path: '/api/admin/users' });
  const password = passwordText(account, account.password.latest);
  const entered = await sendSignIn(there, account, password);
  const got = [rows.reply.text, known.reply.text, admin.reply.status, entered.reply.status];
  if (JSON.stringify(got) !== JSON.stringify(['[]', 'null', 401, 401])) {
    throw violation('apart', account, { what: `in another project: ${got.join(', ')}`, ...rows });
  }
}
