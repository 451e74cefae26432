// Session tokens as they travel: raw as a bearer token, or with a signature (`token.signature`) as a
// bearer token or a cookie. The signature is base64 of HMAC-SHA256 over the token with the secret of the
// project. A raw token in a cookie is worth nothing.
import { createHmac, timingSafeEqual } from 'node:crypto';

import { decodeComponent } from '#libs/wire';

const signatureBytes = 32;
const bearerPattern = /^bearer +(\S+)$/i;
const rawTokenPattern = /^[\w-]{1,200}$/;

/** The headers that may carry a session. */
export interface SessionHeaders {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
}

/** The token of `signed` when its signature was made with `secret`. */
export function verifySignedToken(secret: string, signed: string): string | undefined {
  const text = percentDecoded(signed);
  const dot = text.lastIndexOf('.');
  if (dot <= 0) return undefined;
  const token = text.slice(0, dot);
  const signature = Buffer.from(text.slice(dot + 1), 'base64');
  if (signature.length !== signatureBytes) return undefined;
  const expected = createHmac('sha256', secret).update(token).digest();
  return timingSafeEqual(signature, expected) ? token : undefined;
}

/**
 * The session token of a request, not yet looked up. An `Authorization: Bearer` header decides alone:
 * when its signature is wrong the cookie is not asked.
 */
export function sessionTokenOf(
  headers: SessionHeaders,
  { secret, cookieName }: { readonly secret: string; readonly cookieName: string },
): string | undefined {
  const bearer = bearerPattern.exec(headers.authorization?.trim() ?? '')?.[1];
  if (bearer !== undefined) {
    if (bearer.includes('.')) return verifySignedToken(secret, bearer);
    return rawTokenPattern.test(bearer) ? bearer : undefined;
  }
  const signed = cookieValue(headers.cookie ?? '', cookieName);
  return signed === undefined ? undefined : verifySignedToken(secret, signed);
}

function cookieValue(header: string, name: string): string | undefined {
  const prefix = `${name}=`;
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  // A malformed escape is the sender's; the text as it is has no valid signature.
  return decodeComponent(text) ?? '';
}
