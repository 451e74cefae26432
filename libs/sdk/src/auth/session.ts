/** What a session and its user look like, and how they are read from storage and from the server's answers. */
import { isRecord, parseJson, textOf } from '../json.js';

/** The signed-in user, as the server last described them. */
export interface SessionUser {
  readonly id: string;
  readonly email?: string | null;
  readonly name?: string | null;
  readonly username?: string | null;
  readonly image?: string | null;
  readonly role?: string;
  readonly status?: string;
  readonly is_anonymous?: boolean;
  readonly emailVerified?: boolean;
  readonly phoneNumber?: string | null;
  readonly twoFactorEnabled?: boolean | null;
  /** What users may change about themselves, by `updateUser({ data })`. */
  readonly user_metadata?: Readonly<Record<string, unknown>> | null;
  /** What only administrators may change. */
  readonly app_metadata?: Readonly<Record<string, unknown>> | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly [field: string]: unknown;
}

export interface Session {
  /** The one token of the session. There is no refresh token. */
  readonly access_token: string;
  /** The same token by its other name. */
  readonly accessToken: string;
  readonly token_type: 'bearer';
  /** When it ends if nothing prolongs it, in seconds since 1970. Absent before the server was asked. */
  readonly expires_at?: number;
  /** How sure the server is of the user: `aal2` after a second factor. Absent before the server was asked. */
  readonly aal?: string;
  /** Absent when the storage had no room for it. */
  readonly user?: SessionUser;
}

/** A session of a token and whatever else is known of it; fields of a wrong type are left out. */
export function sessionOf(token: string, fields: Readonly<Record<string, unknown>>): Session {
  const { expires_at: expiresAt, user, aal } = fields;
  return {
    access_token: token,
    accessToken: token,
    token_type: 'bearer',
    ...(typeof expiresAt === 'number' && expiresAt > 0 && { expires_at: expiresAt }),
    ...(typeof aal === 'string' && { aal }),
    ...(isUser(user) && { user }),
  };
}

/** The session that an answer of the server describes, for a token. */
export function answeredSession(token: string, answer: Readonly<Record<string, unknown>>): Session {
  const row = isRecord(answer['session']) ? answer['session'] : {};
  const expiresAt = Math.floor(Date.parse(textOf(row['expiresAt']) ?? '') / 1000);
  return sessionOf(token, {
    ...(expiresAt > 0 && { expires_at: expiresAt }),
    ...(row['aal'] !== undefined && { aal: row['aal'] }),
    ...(isUser(answer['user']) && { user: answer['user'] }),
  });
}

/** The text that a session is stored as; without its user when it is longer than the storage takes. */
export function storedText(session: Session, maxLength = Infinity): string {
  const { accessToken: _, token_type: __, user, ...bare } = session;
  const whole = JSON.stringify(user ? { ...bare, user } : bare);
  return encodeURIComponent(whole).length <= maxLength ? whole : JSON.stringify(bare);
}

/** The session that a stored text stands for; undefined for a text that is none. */
export function readStored(text: string | null | undefined): Session | undefined {
  const stored = parseJson(text ?? '');
  const token = isRecord(stored) ? textOf(stored['access_token']) : undefined;
  return isRecord(stored) && token !== undefined ? sessionOf(token, stored) : undefined;
}

/** Whether a value is a user. */
export function isUser(value: unknown): value is SessionUser {
  return isRecord(value) && typeof value['id'] === 'string';
}
