import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { capabilityOfGroup } from '#libs/settings';
import { type Caller, isAdmin } from '#libs/wire';

import { accessKey, type AccessRule } from './access.js';
import { scopeOf } from './request-scope.js';

/** The only guard: compares the caller with what the route states. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(accessKey, context.getHandler());
    if (!rule) throw fail('FORBIDDEN');
    if (rule.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return this.checkCaller(rule, request);
  }

  private async checkCaller(rule: AccessRule, request: FastifyRequest): Promise<boolean> {
    const scope = scopeOf(request);
    const { caller } = await scope.lease.value.db.resolveCaller(scope.credential);
    requireAccess(rule.kind === 'settings-group' ? ruleOfGroup(request.params) : rule, caller);
    scope.caller = caller;
    return true;
  }
}

/** The rule of the group that a settings route names. Of an unknown one the controller says that it is not there. */
function ruleOfGroup(params: unknown): ExactRule {
  const name: unknown =
    typeof params === 'object' && params !== null ? Reflect.get(params, 'group') : undefined;
  const declared = typeof name === 'string' ? capabilityOfGroup(name) : undefined;
  return { kind: 'admin', capability: declared ?? 'settings.manage' };
}

/** A rule that says by itself who may use a route. */
type ExactRule = Exclude<AccessRule, { readonly kind: 'settings-group' }>;

/** Throws UNAUTHORIZED, ADMIN_REQUIRED or CAPABILITY_REQUIRED when the caller may not use the route. */
export function requireAccess(rule: ExactRule, caller: Caller): void {
  switch (rule.kind) {
    case 'public':
      return;
    case 'signed-in':
      if (caller.role !== 'authenticated') throw fail('UNAUTHORIZED');
      return;
    case 'known':
      if (caller.role === 'anon') throw fail('UNAUTHORIZED');
      return;
    case 'admin':
      if (caller.role === 'anon') throw fail('UNAUTHORIZED');
      if (!isAdmin(caller)) throw fail('ADMIN_REQUIRED');
      if (caller.via === 'operator' && !caller.operator.capabilities.includes(rule.capability)) {
        throw fail('CAPABILITY_REQUIRED', { capability: rule.capability });
      }
      return;
  }
}
