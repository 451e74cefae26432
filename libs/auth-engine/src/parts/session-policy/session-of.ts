import type { GenericEndpointContext } from 'better-auth';

type Row = Readonly<Record<string, unknown>>;

/**
 * The session of a request in a hook before its endpoint; undefined when there is none. The engine itself
 * looks into the cookie, which the bearer token becomes only after these hooks.
 */
export async function sessionOf({
  headers,
  context,
}: GenericEndpointContext): Promise<{ readonly user: Row; readonly session: Row } | undefined> {
  const token = /^bearer +(\S+)$/i.exec(headers?.get('authorization') ?? '')?.[1];
  if (token === undefined) return undefined;
  const found = await context.internalAdapter.findSession(token);
  return found && found.session.expiresAt > new Date() ? found : undefined;
}
