import { createHmac } from 'node:crypto';

import type { ResolvedCaller } from '#libs/database';

/** A request has begun to be answered by then. */
const lifetimeSeconds = 60;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encoded({ alg: 'HS256', typ: 'JWT' });

/**
 * How the caller of a function has proved who it is; `token`: a token for functions; the last three are calls of the
 * platform.
 */
export type FunctionCallerVia =
  ResolvedCaller['caller']['via'] | 'token' | 'hook' | 'trigger' | 'schedule';

/**
 * A JWT (RFC 7519, HS256) that shows a function its caller: `role`, `via`, and of a user `sub`, `email` and `claims`.
 * `key` is the text that functions have, `now` is in milliseconds since 1970.
 */
export function callerToken(
  key: string,
  { role, caller, claims }: Pick<ResolvedCaller, 'role' | 'caller' | 'claims'>,
  { via, now }: { readonly via: FunctionCallerVia; readonly now: number },
): string {
  const iat = Math.floor(now / 1000);
  const user = caller.role === 'authenticated' ? caller.user : undefined;
  const payload = {
    role,
    via,
    ...(user && { sub: user.id, email: user.email }),
    // The text of a JSON object.
    claims: JSON.parse(claims) as unknown,
    iat,
    exp: iat + lifetimeSeconds,
  };
  const signed = `${header}.${encoded(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
