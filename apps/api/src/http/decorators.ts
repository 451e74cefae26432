import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { auditActor, type AuditActor } from '#libs/project-runtime';

import { callerOf, scopeOf } from './request-scope.js';

const requestOf = (context: ExecutionContext) =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** The project that the request's host names. */
export const Project = createParamDecorator(
  (_data: undefined, context: ExecutionContext) => scopeOf(requestOf(context)).lease.value,
);

/** Who makes the request; on routes that are not public. */
export const CurrentCaller = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  callerOf(requestOf(context)),
);

/** Whom the audit log names; on routes for administrators. */
export const CurrentActor = createParamDecorator(
  (_data: undefined, context: ExecutionContext): AuditActor => {
    const request = requestOf(context);
    return auditActor(callerOf(request), { ip: request.ip, requestId: request.id });
  },
);
