import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { auditActor, type AuditActor } from '#libs/project-runtime';

import { callerOf } from '../../http/request-scope.js';

/** Whom the audit log names; on routes for administrators. */
export const CurrentActor = createParamDecorator(
  (_data: undefined, context: ExecutionContext): AuditActor => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return auditActor(callerOf(request), { ip: request.ip, requestId: request.id });
  },
);
