import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { auditActor, type AuditActor } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { callerOf } from '../../http/request-scope.js';

/** Who administers, and how the audit log names them. */
export interface Administrator {
  readonly caller: Caller;
  readonly actor: AuditActor;
}

/** The administrator that makes the request; on routes for administrators. */
export const CurrentAdministrator = createParamDecorator(
  (_data: undefined, context: ExecutionContext): Administrator => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = callerOf(request);
    return { caller, actor: auditActor(caller, { ip: request.ip, requestId: request.id }) };
  },
);

/**
 * Throws SELF_LOCKOUT when users would take their own powers away: the secret key and operators could undo
 * it, they could not.
 */
export function refuseOwnAccount({ caller }: Administrator, userId: string): void {
  if (caller.role === 'authenticated' && caller.user.id === userId) throw fail('SELF_LOCKOUT');
}
