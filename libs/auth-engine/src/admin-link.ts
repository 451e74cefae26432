// Links that administrators make. Everything about such a link is kept at the server; its address holds
// nothing but a token.
import { authPath, isRecord } from '#libs/wire';
import { tokenDigest, type OneTimeValue } from './one-time-values.js';

/** The route that opens the links, below the base path of the engine. */
export const adminLinkPath = '/admin-link/verify';

/** What a link does. */
export interface AdminLink {
  readonly userId: string;
  /** The address that was the user's when the link was made. */
  readonly email: string;
  /** Where the link leads. It was checked when the link was made. */
  readonly target: string;
  readonly isNewUser: boolean;
}

/** The address of a link. */
export function adminLinkUrl(baseUrl: string, token: string): string {
  return `${new URL(baseUrl).origin}${authPath}${adminLinkPath}?token=${token}`;
}

/** What is kept of a link. */
export function keptAdminLink(
  token: string,
  link: AdminLink,
  expiresInSeconds: number,
): OneTimeValue {
  return {
    identifier: adminLinkIdentifier(token),
    value: JSON.stringify(link),
    expiresInSeconds,
  };
}

/** The name under which a link is kept. */
export function adminLinkIdentifier(token: string): string {
  return `admin-link:${tokenDigest(token)}`;
}

/** The link in a kept text; undefined when it is none. */
export function readAdminLink(kept: string): AdminLink | undefined {
  const value: unknown = JSON.parse(kept);
  if (!isRecord(value)) return undefined;
  const texts = ['userId', 'email', 'target'].map((name): unknown => value[name]);
  const [userId, email, target] = texts;
  if (typeof userId !== 'string' || typeof email !== 'string' || typeof target !== 'string') {
    return undefined;
  }
  return { userId, email, target, isNewUser: value['isNewUser'] === true };
}
