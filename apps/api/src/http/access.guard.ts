import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { type AppError, fail } from '#libs/errors';
import { findGroupCapability } from '#libs/settings';
import { type AdminRules, adminStanding, type Caller, isRecord } from '#libs/wire';

import { type AccessRule, ruleOf } from './access.js';
import { type RequestScope, scopeOf } from './request-scope.js';

/** The only guard: compares the caller with the rule of the route. */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { scope } = request;
    // Routes of the server itself have no scope.
    const { access } = scope?.rule ?? ruleOf(request);
    if (access.kind === 'public') return true;
    const exact = access.kind === 'settings-group' ? ruleOfGroup(request.params) : access;
    return this.checkCaller(exact, scopeOf(request));
  }

  private async checkCaller(rule: ExactRule, scope: RequestScope): Promise<boolean> {
    const project = scope.lease.value;
    const { caller } = await project.db.resolveCaller(scope.credential);
    requireAccess(rule, caller, project.guards);
    scope.caller = caller;
    return true;
  }
}

/**
 * The rule of the group that a settings route names. For an unknown group the controller reports that it does not
 * exist.
 */
function ruleOfGroup(params: unknown): ExactRule {
  const name = isRecord(params) ? params['group'] : undefined;
  const declared = typeof name === 'string' ? findGroupCapability(name) : undefined;
  return { kind: 'admin', capability: declared ?? 'settings.manage' };
}

/** A rule that does not depend on the settings group. */
type ExactRule = Exclude<AccessRule, { readonly kind: 'settings-group' }>;

/**
 * Throws UNAUTHORIZED, USER_REQUIRED, ADMIN_REQUIRED, AAL2_REQUIRED or CAPABILITY_REQUIRED when the caller may
 * not use the route.
 */
export function requireAccess(rule: ExactRule, caller: Caller, rules: AdminRules): void {
  switch (rule.kind) {
    case 'public':
      return;
    case 'signed-in':
      if (caller.role === 'anon') throw fail('UNAUTHORIZED');
      if (caller.role !== 'authenticated') throw userRequired(caller);
      return;
    case 'known':
      if (caller.role === 'anon') throw fail('UNAUTHORIZED');
      return;
    case 'admin':
      if (caller.role === 'anon') throw fail('UNAUTHORIZED', {}, { hint: administratorsHint });
      requireAdmin(caller, rules);
      if (caller.via === 'operator' && !caller.operator.capabilities.includes(rule.capability)) {
        throw fail('CAPABILITY_REQUIRED', { capability: rule.capability });
      }
      return;
  }
}

// A signed-in client sends administration without its session, as it does with a key.
const administratorsHint =
  'This route takes the secret key, or the session of an administrator of the project';

/** The refusal of a known caller who is not a user: the secret key, or an operator. */
function userRequired({ via }: Caller): AppError {
  if (via !== 'secret-key') return fail('USER_REQUIRED');
  return fail('USER_REQUIRED', {}, { hint: 'Name the user in the header x-service-impersonate' });
}

function requireAdmin(caller: Caller, rules: AdminRules): void {
  switch (adminStanding(caller, rules)) {
    case 'admin':
      return;
    case 'lacks-second-factor':
      throw fail('AAL2_REQUIRED');
    case 'no-admin':
      throw fail('ADMIN_REQUIRED');
  }
}
