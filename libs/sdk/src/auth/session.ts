/** A session and its user, and how they are read from storage and from the server's answers. */
import { isRecord, parseJson, textOf } from '../json.js';

/** The signed-in user, as in the server's last answer. */
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
  /** Fields that users can change about themselves, with `updateUser({ data })`. */
  readonly user_metadata?: Readonly<Record<string, unknown>> | null;
  /** Fields that only administrators can change. */
  readonly app_metadata?: Readonly<Record<string, unknown>> | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly [field: string]: unknown;
}

export interface Session {
  /** The only token of the session. There is no refresh token. */
  readonly access_token: string;
  /** An alias of `access_token`. */
  readonly accessToken: string;
  readonly token_type: 'bearer';
  /** When it expires unless it is prolonged, in seconds since 1970. Absent before the first answer of the server. */
  readonly expires_at?: number;
  /** The assurance level: `aal2` after a second factor. Absent before the first answer of the server. */
  readonly aal?: string;
  /** Absent if the storage has no space for it. */
  readonly user?: SessionUser;
}

/** A session with a token and further known fields; fields of a wrong type are left out. */
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

/** The session in an answer of the server, for a token. */
export function answeredSession(token: string, answer: Readonly<Record<string, unknown>>): Session {
  const row = isRecord(answer['session']) ? answer['session'] : {};
  const expiresAt = Math.floor(Date.parse(textOf(row['expiresAt']) ?? '') / 1000);
  return sessionOf(token, {
    ...(expiresAt > 0 && { expires_at: expiresAt }),
    ...(row['aal'] !== undefined && { aal: row['aal'] }),
    ...(isUser(answer['user']) && { user: answer['user'] }),
  });
}

/** The stored text of a session; without its user if it is too long for the storage. */
export function storedText(session: Session, maxLength = Infinity): string {
  const { accessToken: _, token_type: __, user, ...bare } = session;
  const whole = JSON.stringify(user ? { ...bare, user } : bare);
  return encodeURIComponent(whole).length <= maxLength ? whole : JSON.stringify(bare);
}

/** Parses a stored session; undefined for any other text. */
export function readStored(text: string | null | undefined): Session | undefined {
  const stored = parseJson(text ?? '');
  const token = isRecord(stored) ? textOf(stored['access_token']) : undefined;
  return isRecord(stored) && token !== undefined ? sessionOf(token, stored) : undefined;
}

/** Whether a value is a user. */
export function isUser(value: unknown): value is SessionUser {
  return isRecord(value) && typeof value['id'] === 'string';
}
