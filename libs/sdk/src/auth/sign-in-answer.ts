/** What the server answers to a sign-in, and how it becomes the session of the client. */
import { refusal } from '../answer.js';
import { isRecord, textOf } from '../json.js';
import { answeredSession, isUser, type Session, type SessionUser } from './session.js';
import type { SessionSource } from './session-source.js';
import { type AuthAnswer, noSession, type Wire, type WireReply } from './wire.js';

/** A second factor that the server waits for. Give it with `auth.mfa.verify`. */
export interface SecondFactor {
  /** What the user may give: `totp`, `otp` (by mail or SMS). */
  readonly methods: readonly string[];
}

export interface SignInData {
  readonly user: SessionUser | null;
  /** Null while the server waits: for the address to be verified, or for the second factor. */
  readonly session: Session | null;
  /** Given when the password was right and the second factor is still missing. */
  readonly mfa?: SecondFactor;
}

export interface NoSession {
  readonly user: null;
  readonly session: null;
}

export const nobody: NoSession = { user: null, session: null };

export type SignInAnswer = AuthAnswer<SignInData, NoSession>;

/** What the parts of the accounts share. */
export interface AuthParts {
  readonly source: SessionSource;
  /** Calls as the signed-in user. */
  readonly asUser: Wire;
  /** Calls as nobody: to sign in. */
  readonly asVisitor: Wire;
}

/** What a device that passed a second factor shows at its next sign-ins. The server may change it at each. */
export const trustHeader = 'x-trust-token';
/** What stands for the right password while the second factor is awaited. */
export const mfaHeader = 'x-mfa-token';

/** Makes the session of an answer the client's, or remembers what it asks for before there is one. */
export async function admit(
  source: SessionSource,
  { data, headers }: WireReply<unknown>,
  happening: 'sign-in' | 'second-factor' = 'sign-in',
): Promise<SignInData> {
  const body = isRecord(data) ? data : {};
  await rememberDevice(source, { data, headers });
  if (body['twoFactorRedirect'] === true) {
    const token = textOf(body['mfaToken']) ?? headers.get(mfaHeader) ?? undefined;
    if (token !== undefined) await source.challenge(token);
    const methods = body['twoFactorMethods'];
    return { ...nobody, mfa: { methods: Array.isArray(methods) ? methods.map(String) : [] } };
  }
  const user = isUser(body['user']) ? body['user'] : null;
  const token = tokenOf(body);
  if (token === undefined) return { user, session: null };
  const session = answeredSession(token, body);
  await source.keep(session, happening);
  return { user, session };
}

/** Keeps what makes this device a trusted one, when an answer has it. */
export async function rememberDevice(
  source: SessionSource,
  { data, headers }: WireReply<unknown>,
): Promise<void> {
  const inBody = isRecord(data) ? textOf(data['trustToken']) : undefined;
  const trust = inBody ?? headers.get(trustHeader);
  if (trust !== null) await source.memorize('trust', trust);
}

/** The session token in an answer. */
export function tokenOf(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  return textOf(body['token']) ?? tokenOf(body['session']);
}

/**
 * The session of a token as the server knows it; without a token, that of the kept session.
 * @throws RowhouseError when there is no session, or none any more: then it is forgotten here too
 */
export async function liveSession(source: SessionSource, given?: string): Promise<Session> {
  const token = given ?? (await source.find())?.access_token;
  if (token === undefined) throw noSession();
  const verdict = await source.ask(token);
  if (verdict.kind === 'alive') return verdict.session;
  if (verdict.kind === 'unknown') throw refusal(verdict.answer).error;
  await source.end(token);
  throw noSession('The token belongs to no session, or to one that has ended');
}

/** Keeps what the server knows now of the signed-in user, who has changed, and tells the listeners. */
export async function keepUser(source: SessionSource): Promise<SignInData> {
  const session = await liveSession(source);
  await source.keep(session, 'user-change');
  return { user: session.user ?? null, session };
}

/** The header of a CAPTCHA's proof, which guarded routes want. */
export function captchaHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { 'x-captcha-response': token };
}
