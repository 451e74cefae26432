// The values that controller methods read from a request.
import { fail } from '#libs/errors';
import type {
  Authority,
  OwnRequest as OwnRequestValue,
  Visitor as VisitorValue,
} from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The operator of a request, as currently stored. */
export interface CurrentOperator {
  readonly operatorId: string;
  readonly email: string;
  readonly isDeploymentAdmin: boolean;
  readonly sessionId: string;
  readonly ip: string;
  readonly requestId: string;
  /** The right that allowed the request; checked again in the transaction of its change. */
  readonly authority: Authority;
}

/** A request of an operator about their own account: with the session token and the client's name. */
export type OwnRequest = OwnRequestValue;

/** The origin of a request. */
export interface Visitor extends VisitorValue {
  readonly requestId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard. */
    operator: CurrentOperator | undefined;
    /** Set by the access guard on routes with a capability rule. */
    capabilities: readonly Capability[] | undefined;
  }
}

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** The signed-in operator; only on routes whose rule is not `public`. */
export const CurrentOperator = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  operatorOf(requestOf(context)),
);

/** The operator of a `public` route, or undefined. */
export const OptionalOperator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => requestOf(context).operator,
);

/** What the operator may do on the project or organization of the route's capability rule. */
export const ProjectCapabilities = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => requestOf(context).capabilities ?? [],
);

export const Visitor = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  visitorOf(requestOf(context)),
);

export const OwnRequest = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = requestOf(context);
  return { ...visitorOf(request), ...operatorOf(request), token: bearerToken(request) };
});

/** The token of the header `Authorization: Bearer`. Throws UNAUTHORIZED when there is none. */
export const BearerToken = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  bearerToken(requestOf(context)),
);

function operatorOf(request: FastifyRequest): CurrentOperator {
  if (!request.operator) throw fail('UNAUTHORIZED');
  return request.operator;
}

function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: request.headers['user-agent'], requestId: request.id };
}

function bearerToken(request: FastifyRequest): string {
  const token = findBearerToken(request);
  if (token === undefined) throw fail('UNAUTHORIZED');
  return token;
}

/** The token of the request. Cookies are not accepted as a credential, so no page can act for another. */
export function findBearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}
