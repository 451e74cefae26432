import { createAuthMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import type { AuthConfig } from './auth-config.js';
import { isObject, refusable, refusal } from './refusal.js';
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
    handler: createAuthMiddleware(async (ctx) => {
      const body: unknown = ctx.body;
      if (!isObject(body)) return;
      refusable(() => {
        checkFields(body, allowed.get(ctx.path) ?? new Set());
        checkAddress(Reflect.get(body, 'email'));
      });
    }),
  };
}

/** Refuses requests for a mail while the project has no way to send any (EMAIL_NOT_CONFIGURED). */
export function mailGate({ messages }: AuthConfig, paths: readonly string[]): BeforeHook {
  return {
    matcher: ({ path = '' }) => paths.includes(path),
    handler: createAuthMiddleware(async () => {
      if (messages.canMail() === false) throw refusal(fail('EMAIL_NOT_CONFIGURED'));
    }),
  };
}

/** A text of a body; undefined when it is absent. Throws INVALID_INPUT for another kind of value. */
export function textField(body: unknown, name: string): string | undefined {
  const value: unknown = isObject(body) ? Reflect.get(body, name) : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw refusal(fail('INVALID_INPUT', { field: name, reason: 'must be a text' }));
}

/** A text that must be there and must not be empty. Throws INVALID_INPUT. */
export function requiredText(body: unknown, name: string): string {
  const value = textField(body, name);
  if (value !== undefined && value !== '') return value;
  throw refusal(fail('INVALID_INPUT', { field: name, reason: 'is required' }));
}

/** A boolean of a body; `otherwise` when it is absent. Throws INVALID_INPUT for another kind of value. */
export function flagField(body: unknown, name: string, otherwise = false): boolean {
  const value: unknown = isObject(body) ? Reflect.get(body, name) : undefined;
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  throw refusal(fail('INVALID_INPUT', { field: name, reason: 'must be true or false' }));
}
