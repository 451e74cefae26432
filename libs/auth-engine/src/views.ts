// What users and sessions look like outside. The engine answers with every field it knows; these lists
// decide, so that a column added later is not shown by accident.
import { isRecord } from '#libs/wire';

type Row = Readonly<Record<string, unknown>>;

const USER_FIELDS = [
  'id',
  'email',
  'name',
  'username',
  'image',
  'role',
  'status',
  'emailVerified',
  'phoneNumber',
  'app_metadata',
  'user_metadata',
  'createdAt',
  'updatedAt',
] as const;

const SESSION_FIELDS = [
  'id',
  'userId',
  'token',
  'aal',
  'activeOrganizationId',
  'activeTeamId',
  'expiresAt',
  'createdAt',
  'updatedAt',
  'ipAddress',
  'userAgent',
] as const;

/** A user as the user itself sees it. */
export function userView(user: Row): Row {
  return {
    ...pick(user, USER_FIELDS),
    phoneNumberVerified: user['phoneNumberVerified'] === true,
    twoFactorEnabled: user['twoFactorEnabled'] === true,
    is_anonymous: user['isAnonymous'] === true,
  };
}

/** A session as its own holder sees it, token included. */
export function sessionView(session: Row): Row {
  return pick(session, SESSION_FIELDS);
}

/**
 * A session in a list. Its `token` is its id, by which the engine's client names it: the live token would let a
 * reader of the list become its holder.
 */
export function listedSessionView(session: Row, currentId: string): Row {
  const { token: _token, userId: _userId, ...rest } = pick(session, SESSION_FIELDS);
  return { ...rest, token: rest['id'], isCurrent: session['id'] === currentId };
}

/** An answer of the engine with its users and sessions replaced by their views; undefined when it has none. */
export function answerView(answer: unknown): Row | undefined {
  if (!isRecord(answer)) return undefined;
  const { user, session } = answer;
  if (!isRecord(user)) return undefined;
  return {
    ...answer,
    user: userView(user),
    ...(isRecord(session) && { session: sessionView(session) }),
  };
}

/** The answer of a sign-up or sign-in: token and user, and the redirect when one was asked for. */
export function signInView(answer: unknown): Row | undefined {
  const view = answerView(answer);
  if (!view) return undefined;
  const { token, user, redirect, url } = view;
  return { token, user, ...(typeof url === 'string' && { redirect, url }) };
}

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}
