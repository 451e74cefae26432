/** The server's answers to a sign-in, and how they become the session of the client. */
import { refusal } from '../answer.js';
import { isRecord, textOf } from '../json.js';
import { answeredSession, isUser, type Session, type SessionUser } from './session.js';
import type { SessionSource } from './session-source.js';
import { type AuthAnswer, noSession, type Wire, type WireReply } from './wire.js';

/** A second factor that the server waits for. Verify it with `auth.mfa.verify`. */
export interface SecondFactor {
  /** The available methods: `totp`, `otp` (by mail or SMS). */
  readonly methods: readonly string[];
}

export interface SignInData {
  readonly user: SessionUser | null;
  /** Null while the address must be verified or the second factor is missing. */
  readonly session: Session | null;
  /** Present if the password was correct and the second factor is still missing. */
  readonly mfa?: SecondFactor;
}

export interface NoSession {
  readonly user: null;
  readonly session: null;
}

export const signedOut: NoSession = { user: null, session: null };

export type SignInAnswer = AuthAnswer<SignInData, NoSession>;

/** Dependencies that the parts of the accounts share. */
export interface AuthParts {
  readonly source: SessionSource;
  /** Calls as the signed-in user. */
  readonly asUser: Wire;
  /** Calls without a session: to sign in. */
  readonly asVisitor: Wire;
}

/** Header that identifies a device that passed a second factor. The server may change it at each sign-in. */
export const trustHeader = 'x-trust-token';
/** Header that proves the correct password while the second factor is missing. */
export const mfaHeader = 'x-mfa-token';

/** Stores the session in an answer, or the challenge for its second factor. */
export async function completeSignIn(
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
    return { ...signedOut, mfa: { methods: Array.isArray(methods) ? methods.map(String) : [] } };
  }
  const user = isUser(body['user']) ? body['user'] : null;
  const token = tokenOf(body);
  if (token === undefined) return { user, session: null };
  const session = answeredSession(token, body);
  await source.keep(session, happening);
  return { user, session };
}

/** Stores the token of a trusted device, if an answer contains one. */
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
 * Returns the session of a token from the server; without a token, of the stored session.
 * @throws RowhouseError if there is no session, or it has ended: then it is also removed here
 */
export async function liveSession(source: SessionSource, given?: string): Promise<Session> {
  const token = given ?? (await source.find())?.access_token;
  if (token === undefined) throw noSession();
  const verdict = await source.ask(token);
  if (verdict.kind === 'alive') return verdict.session;
  if (verdict.kind === 'unknown') throw refusal(verdict.answer).error;
  await source.end(token);
  throw noSession('The session of the token does not exist or has ended');
}

/** Stores the server's current data of the signed-in user after a change, and informs the listeners. */
export async function keepUser(source: SessionSource): Promise<SignInData> {
  const session = await liveSession(source);
  await source.keep(session, 'user-change');
  return { user: session.user ?? null, session };
}

/** The header with a CAPTCHA's proof, which guarded routes require. */
export function captchaHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { 'x-captcha-response': token };
}
