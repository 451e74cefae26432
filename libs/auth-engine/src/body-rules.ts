import type { createAuthMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import type { AuthConfig } from './auth-config.js';
import { hook } from './endpoint.js';
import { checkAddress, checkFields } from './sign-up-policy.js';

/** The fields that the body of a request may have, by the route's path. */
export type BodyRules = Readonly<Record<string, readonly string[]>>;

/** A hook of the engine that runs before an endpoint. */
export interface BeforeHook {
  readonly matcher: (context: { readonly path?: string }) => boolean;
  readonly handler: ReturnType<typeof createAuthMiddleware>;
}

/**
 * Refuses bodies with other fields, with texts that cannot be stored, or about a reserved address. The
 * refusals are those of `checkFields` and `checkAddress`.
 */
export function bodyRules(rules: BodyRules): BeforeHook {
  const allowed = new Map(
    Object.entries(rules).map(([path, fields]) => [path, new Set(fields)] as const),
  );
  return {
    matcher: ({ path = '' }) => allowed.has(path),
    handler: hook(async (ctx, body) => {
      if (!body) return;
      checkFields(body, allowed.get(ctx.path) ?? new Set());
      checkAddress(body['email']);
    }),
  };
}

/** Refuses requests for a mail while the project has no way to send any (EMAIL_NOT_CONFIGURED). */
export function mailGate({ messages }: AuthConfig, paths: readonly string[]): BeforeHook {
  return {
    matcher: ({ path = '' }) => paths.includes(path),
    handler: hook(async () => {
      if (messages.canMail() === false) throw fail('EMAIL_NOT_CONFIGURED');
    }),
  };
}
