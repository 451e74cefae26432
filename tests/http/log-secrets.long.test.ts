// The log of a deployment at its most talkative, while people sign in by every way and the servers behind it
// fail and repeat what they were sent: no token, code, password, key or text of a mail is in it.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { openLog } from '../../bin/log.js';
import { codeFor } from '../support/authenticator.js';
import { linkedTokens, tokensIn } from '../support/given-tokens.js';
import { asSuperuser, Deployment, operatorPassword } from '../support/deployment.js';
import { openHttpRecorder, type HttpRecorder } from '../support/http-recorder.js';
import { type Call, type Reply, send } from '../support/http.js';
import { linkIn, openMailServer, type MailServer } from '../support/mail-server.js';
import { ProjectUnderTest, userPassword } from '../support/project.js';
import { createWith, done, fieldOf, post, save, site } from './complete-project.js';
import { bearer } from '../support/replies.js';

const lines: string[] = [];
/** Every secret that was typed or handed out, by what it is. */
const secrets = new Map<string, string>();
const remember = (what: string, ...values: readonly string[]) => {
  for (const value of values) secrets.set(value, what);
};

class RememberingProject extends ProjectUnderTest {
  override async send(call: Call): Promise<Reply> {
    const reply = await super.send(call);
    remember(`answer of ${call.path.split('?')[0]}`, ...tokensIn(reply));
    return reply;
  }
}

const typed = {
  'wrong password': 'wrong horse staple',
  'new password': 'a password chosen later',
  'client secret': 'client-secret-of-google',
  'SMTP password': 'password-of-the-mail-server',
  'wrong operator password': 'wrong word of an operator',
  'malformed password': 'half a password in half a body',
} as const;
for (const [what, value] of Object.entries(typed)) remember(what, value);
remember('password', userPassword);
remember('operator password', operatorPassword);

const output = [process.stdout, process.stderr] as const;
let deployment: Deployment;
let mailServer: MailServer;
let receiver: HttpRecorder;

beforeAll(async () => {
  for (const stream of output) {
    const write = stream.write.bind(stream);
    vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest) => {
      lines.push(String(chunk));
      // The log itself would hide the report of the tests.
      if (String(chunk).startsWith('{"level"')) return true;
      return Reflect.apply(write, stream, [chunk, ...rest]);
    });
  }
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, name).mockImplementation((...texts) => void lines.push(texts.join(' ')));
  }
  [mailServer, receiver] = await Promise.all([
    openMailServer({
      auth: { user: 'mailer', password: typed['SMTP password'] },
      // One line, as replies of SMTP are; with the part that matters in front.
      refuseText: ({ text }) => `blocked: ${text.replaceAll(/\s+/g, ' ').slice(0, 900)}`,
    }),
    openHttpRecorder(({ text }) => ({ status: 500, body: `cannot take ${text}` })),
  ]);
  deployment = await Deployment.open({
    env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1', MAIL_INBOX: 'false', LOG_LEVEL: 'debug' },
    log: openLog('debug', { write: (line) => void lines.push(line) }),
  });
  remember('operator token', deployment.operatorToken);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await deployment.close();
  await Promise.all([mailServer.close(), receiver.close()]);
});

const common = {
  'auth.urls': { siteUrl: site },
  'auth.apiKey': { enabled: true },
  'auth.twoFactor': { enabled: true, emailCodes: true },
  'auth.social': {
    google: { enabled: true, clientId: 'google', clientSecret: typed['client secret'] },
  },
};

async function projectWith(settings: Readonly<Record<string, object>>) {
  const project = new RememberingProject(await createWith(deployment, { ...common, ...settings }));
  remember('project key', project.secretKey);
  remember('connection password', new URL(project.databaseUrl).password);
  return project;
}

/** Waits for the mail or the message that a request causes and remembers it. */
type Receive = (to: string) => Promise<{ readonly link: string; readonly code: string }>;

const byMail: Receive = async (to) => {
  const mail = await mailServer.waitForMail(to);
  return rememberMessage(mail.text, () => linkIn(mail));
};
const byHook: Receive = async (to) => {
  const { text } = await receiver.waitForRequest(
    (request) => request.path === '/send' && request.text.includes(to),
  );
  return rememberMessage(text, () => /https?:[^"\s]+/.exec(text)?.[0] ?? '');
};

function rememberMessage(text: string, findLink: () => string) {
  const hasLink = /https?:\/\/\S+\/api\/auth\//.test(text);
  const link = hasLink ? findLink() : '';
  const code = /(?<![\w.-])\d{6}(?![\w.-])/.exec(text)?.[0] ?? '';
  remember('link of a message', ...linkedTokens(link));
  // The code alone is short, and stands in numbers by chance: it is looked for between other signs.
  if (code !== '') codes.add(code);
  return { link, code };
}
const codes = new Set<string>();

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Signs in by every way of one person, whose messages never arrive and are read on their way. */
async function useAccount(project: RememberingProject, receive: Receive): Promise<void> {
  const email = `ada-${project.ref}@example.org`;
  const { token } = await project.signUp(email);
  remember('session', token);
  await post(project, '/sign-in/email', { email, password: typed['wrong password'] });
  await post(project, '/request-password-reset', { email, redirectTo: site });
  const reset = new URL((await receive(email)).link);
  const opened = await project.send({ path: `${reset.pathname}${reset.search}` });
  const resetToken = new URL(opened.headers.location ?? '').searchParams.get('token');
  const newPassword = typed['new password'];
  await done(post(project, '/reset-password', { token: resetToken, newPassword }));
  await receive(email);
  await post(project, '/sign-in/magic-link', { email, callbackURL: site });
  const magic = new URL((await receive(email)).link);
  await done(project.send({ path: `${magic.pathname}${magic.search}` }));
  const body = magic.search.slice(1);
  await done(project.send({ method: 'POST', path: magic.pathname, headers: form, body }));
  await post(project, '/email-otp/send-verification-otp', { email, type: 'sign-in' });
  const { code: otp } = await receive(email);
  await post(project, '/sign-in/email-otp', { email, otp: String(Number(otp) ^ 1) });
  const signedIn = await done(post(project, '/sign-in/email-otp', { email, otp }));
  const session = bearer(fieldOf(signedIn, 'token'));
  await useKeysAndFactors(project, session);
  await breakDown(project, email);
}

async function useKeysAndFactors(
  project: RememberingProject,
  session: Readonly<Record<string, string>>,
): Promise<void> {
  const key = fieldOf(
    await done(post(project, '/api-key/create', { name: 'job' }, session)),
    'key',
  );
  await project.send({ path: '/rest/v1/nothing', headers: bearer(key) });
  await project.send({ path: `/rest/v1/nothing?apikey=${project.secretKey}`, headers: session });
  const password = typed['new password'];
  const enabled = await done(post(project, '/two-factor/enable', { password }, session));
  const uri = fieldOf(enabled, 'totpURI');
  remember('TOTP secret', new URL(uri).searchParams.get('secret') ?? '');
  await done(post(project, '/two-factor/verify-totp', { code: codeFor(uri) }, session));
  const half = `{"email":"x@example.org","password":"${typed['malformed password']}"`;
  await post(project, '/sign-in/email', half);
}

/** A database that refuses a row repeats all of it. */
async function breakDown(project: RememberingProject, email: string): Promise<void> {
  const { database } = project;
  const change = (text: string) => asSuperuser(text, { database });
  await change(
    `alter table auth.verification add constraint broken check (identifier = '') not valid`,
  );
  const failed = await post(project, '/sign-in/magic-link', { email, callbackURL: site });
  expect(failed.status).toBe(500);
  await change('alter table auth.verification drop constraint broken');
  await change(`alter table auth.session add constraint broken check ("tokenHash" = '') not valid`);
  const body = { email: `new-${email}`, password: userPassword };
  expect((await post(project, '/sign-up/email', body)).status).toBe(500);
  await change('alter table auth.session drop constraint broken');
}

async function useConsole(project: ProjectUnderTest): Promise<void> {
  const login = (password: string) =>
    send(deployment.consoleOrigin, {
      method: 'POST',
      path: '/platform/login',
      body: { email: 'first@rowhouse.test', password },
    });
  expect((await login(typed['wrong operator password'])).status).toBe(401);
  remember('operator session', ...tokensIn(await login(operatorPassword)));
  const rotated = await deployment.console({
    method: 'POST',
    path: `/platform/projects/${project.ref}/keys/rotate`,
    body: { kind: 'secret' },
  });
  remember('rotated key', ...tokensIn(rotated));
  const settings = `/platform/projects/${project.ref}/api/admin/settings/auth.social`;
  const google = { clientSecret: typed['client secret'], clientSecretOfNobody: 'x' };
  await deployment.console({ method: 'PUT', path: settings, body: { google } });
}

/** The spellings of a secret that would give it away. */
function spellings(secret: string): readonly string[] {
  const hash = createHash('sha256').update(secret);
  const hex = hash.copy().digest('hex');
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [secret, encodeURIComponent(secret), base64, hex, hash.digest('base64url')];
}

/** The last message that each project sends, and what became of it. */
const failures: Readonly<Record<string, RegExp>> = {
  mail: /MAIL_DEFERRED[^\n]*send a mail of the kind emailOtp/,
  hook: /HOOK_FAILED[^\n]*send a mail of the kind emailOtp/,
};

test('nothing secret is in the log, and what went wrong is', async () => {
  const smtp = { ...mailServer.settings };
  const failingMail = await projectWith({ 'email.smtp': smtp });
  await useAccount(failingMail, byMail);
  const hook = {
    enabled: true,
    target: 'http',
    url: `${receiver.origin}/send`,
    secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  };
  remember('hook secret', hook.secret);
  const failingHook = await projectWith({
    'auth.hooks': { send: hook, events: { ...hook, url: `${receiver.origin}/events` } },
  });
  await useAccount(failingHook, byHook);
  await save(failingHook, 'auth.hooks', { accessToken: hook });
  await useConsole(failingHook);
  const log = () => lines.join('\n');
  // Mails and messages fail in the background.
  await waitFor(async () => ['mail', 'hook'].every((kind) => failures[kind]?.test(log())));
  // What the test is about did happen, and was logged.
  const expected = [
    '"msg":"request"',
    '"route":"/api/auth/sign-in/email"',
    '"route":"/api/auth/reset-password/:token"',
    '"route":"/platform/login"',
    '"level":20',
    'blocked: ',
    'violates check constraint',
    'is not operator.value',
  ];
  expect(expected.filter((text) => !log().includes(text))).toEqual([]);
  expect(secrets.size).toBeGreaterThan(40);
  expect(codes.size).toBeGreaterThanOrEqual(2);
  const found = [...secrets].flatMap(([secret, what]) =>
    spellings(secret).flatMap((text) => {
      const place = log().indexOf(text);
      return place < 0 ? [] : [`${what}: ${log().slice(Math.max(0, place - 60), place)}`];
    }),
  );
  const shownCodes = [...codes].filter((code) =>
    new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`).test(log()),
  );
  expect({ found, shownCodes }).toEqual({ found: [], shownCodes: [] });
});
