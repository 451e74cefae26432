// New passwords: by a code from a mail, by whoever knows the old one, and by an administrator.
import { asRecord } from '../support/deployment.js';
import { type Account, passwordText } from './model.js';
import {
  alone,
  type Answer,
  ask,
  askAs,
  askAsService,
  judgeSession,
  liveSession,
  someAccount,
  trace,
  type Turn,
  violation,
} from './world.js';
import { textAt } from '../support/replies.js';

const mailLimitMs = 20_000;
const mailPauseMs = 50;

/** A user who has forgotten the password asks for a code and spends it. */
export async function resetPassword(turn: Turn): Promise<void> {
  const account = someAccount(turn);
  if (!account) return;
  await alone(account, 'password', async () => {
    const { email } = account;
    const begin = turn.soak.clock.tick();
    const known = await newestCode(turn, email);
    const requested = await post(turn, '/api/auth/email-otp/request-password-reset', { email });
    trace(account, 'request of a code', requested);
    const otp = await mailedCode(turn, email, known?.id);
    const wasActive = (end: number) => isActive(account, { begin, end });
    if (otp === undefined) {
      if (!wasActive(turn.soak.clock.tick())) return;
      throw violation('granted', account, { what: 'no mail with a code', ...requested });
    }
    const answer = await newPassword(turn, account, (password) =>
      post(turn, '/api/auth/email-otp/reset-password', { email, otp, password }),
    );
    if (answer.reply.status !== 200 && wasActive(answer.span.end)) {
      throw violation('granted', account, { what: 'reset of the password', ...answer });
    }
  });
}

/** An administrator gives a user another password. */
export async function resetByAdmin(turn: Turn): Promise<void> {
  const account = someAccount(turn);
  if (!account) return;
  await alone(account, 'password', async () => {
    const path = `/api/admin/users/${account.id}/reset-password`;
    const answer = await newPassword(turn, account, (password) =>
      askAsService(turn, { method: 'POST', path, body: { password } }),
    );
    const mayBeGone = account.status.possible(answer.span).includes('deleted');
    if (answer.reply.status !== 200 && !mayBeGone) {
      throw violation('granted', account, { what: 'reset by an administrator', ...answer });
    }
  });
}

function post(turn: Turn, path: string, body: object): Promise<Answer> {
  return ask(turn, { method: 'POST', path, body }, (each) => turn.world.project.send(each));
}

function isActive({ status }: Account, span: Answer['span']): boolean {
  const statuses = status.possible(span);
  return statuses.length === 1 && statuses[0] === 'active';
}

/** Gives the account its next password by `send`, which ends every session. */
async function newPassword(
  turn: Turn,
  account: Account,
  send: (password: string) => Promise<Answer>,
): Promise<Answer> {
  const at = turn.soak.clock.tick();
  const passwordNumber = account.password.latest + 1;
  const change = account.password.begin(passwordNumber, at);
  const ending = account.beginEnding('password', at, { passwordNumber });
  const answer = await send(passwordText(account, passwordNumber));
  trace(account, `${turn.step} to password ${passwordNumber}`, answer);
  if (answer.reply.status === 200) {
    change.finish(answer.span.end);
    account.finishEnding(ending, answer.span.end);
  } else {
    change.cancel();
    account.cancelEnding(ending);
  }
  return answer;
}

/** A user who knows the password changes it, and ends the other sessions or lets them be. */
export async function changePassword(turn: Turn): Promise<void> {
  const session = liveSession(turn);
  if (!session) return;
  const { account } = session;
  await alone(account, 'password', async () => {
    const endsOthers = turn.chance.is(50);
    const at = turn.soak.clock.tick();
    const number = account.password.latest + 1;
    const body = {
      currentPassword: passwordText(account, number - 1),
      newPassword: passwordText(account, number),
      revokeOtherSessions: endsOthers,
    };
    const change = account.password.begin(number, at);
    const ending = endsOthers
      ? account.beginEnding('password', at, { passwordNumber: number })
      : undefined;
    const call = { method: 'POST', path: '/api/auth/change-password', body };
    const answer = await askAs(turn, session, call);
    const { reply, span } = answer;
    const what = `change to password ${number}${endsOthers ? ', ending sessions' : ''}`;
    trace(account, what, answer);
    if (reply.status === 200) {
      judgeSession(session, answer, { what, isAccepted: true });
      change.finish(span.end);
      if (!ending) return;
      account.finishEnding(ending, span.end);
      // A user who was deactivated right after the change is given no session.
      const isShutOut = account.status.possible(span).some((status) => status !== 'active');
      if (isShutOut && Reflect.get(asRecord(reply.body), 'token') === null) return;
      const token = textAt(reply.body, 'token');
      account.addSession({ token, born: { ...span, begin: span.end }, passwordNumber: number });
      return;
    }
    change.cancel();
    if (ending) account.cancelEnding(ending);
    judgeSession(session, answer, { what, isAccepted: false });
  });
}

interface MailedCode {
  readonly id: string;
  readonly code: string;
}

/** The code of a mail that is newer than the one known; undefined when none comes. */
async function mailedCode(
  turn: Turn,
  email: string,
  knownId: string | undefined,
): Promise<string | undefined> {
  const deadline = Date.now() + mailLimitMs;
  while (Date.now() < deadline) {
    const newest = await newestCode(turn, email);
    if (newest && newest.id !== knownId) return newest.code;
    await new Promise((resolve) => setTimeout(resolve, mailPauseMs));
  }
  return undefined;
}

async function newestCode(turn: Turn, email: string): Promise<MailedCode | undefined> {
  const inbox = '/api/admin/inbox';
  const path = `${inbox}?limit=10&recipient=${encodeURIComponent(email)}`;
  const { reply } = await askAsService({ ...turn, step: 'inbox' }, { path });
  const { mails } = reply.body as { mails: { readonly id: string; readonly kind: string }[] };
  const mail = mails.find(({ kind }) => kind === 'resetPassword');
  if (!mail) return undefined;
  const opened = await askAsService({ ...turn, step: 'inbox' }, { path: `${inbox}/${mail.id}` });
  // The inbox keeps only so many mails: this one has made way for others.
  if (opened.reply.status === 404) return undefined;
  const code = /\b\d{6}\b/.exec(textAt(opened.reply.body, 'text'))?.[0];
  if (code === undefined) throw new Error(`no code in ${opened.reply.text}`);
  return { id: mail.id, code };
}
