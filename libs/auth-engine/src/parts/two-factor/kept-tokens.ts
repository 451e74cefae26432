import type { GenericEndpointContext } from 'better-auth';

/** A token that a client keeps: a browser in a cookie, every other client where it likes. */
export interface KeptToken {
  /** Without the prefix of the engine's cookies. */
  readonly cookie: string;
  /** In lower case. */
  readonly header: string;
}

/**
 * The token of a request. The header decides: a client that sends one means it, whatever cookies it has, and
 * no other site can make a browser send it.
 */
export function shownToken(
  ctx: GenericEndpointContext,
  { cookie, header }: KeptToken,
): string | undefined {
  const sent = ctx.headers?.get(header) ?? ctx.getCookie(ctx.context.createAuthCookie(cookie).name);
  return sent ?? undefined;
}

/** Has a browser keep a token, and shows it to other clients. */
export function keepToken(
  ctx: GenericEndpointContext,
  { cookie, header }: KeptToken,
  { token, lifeSeconds }: { readonly token: string; readonly lifeSeconds: number },
): void {
  const { name, attributes } = ctx.context.createAuthCookie(cookie, { maxAge: lifeSeconds });
  ctx.setCookie(name, token, attributes);
  ctx.setHeader(header, token);
}
