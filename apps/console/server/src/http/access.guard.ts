import {
  type Authority,
  capabilitiesOn,
  type CapabilityScope,
  findSession,
  isChallenge,
} from '#libs/control-plane';
import type { LiveSession } from '#libs/control-plane';
import { fail } from '#libs/errors';
import { createMemoryLimiter } from '#libs/rate-limit';
import { refuseUnstorable } from '#libs/web';
import { isRecord } from '#libs/wire';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type AccessRule, ruleOf } from './access.js';
import { ConsoleDeps } from './console-deps.js';
import { findBearerToken } from './current-operator.js';

type CapabilityRule = Extract<AccessRule, { kind: 'capability' }>;

/** The only guard: finds the operator in the database and enforces the rule that the route states. */
@Injectable()
export class AccessGuard implements CanActivate {
  readonly #limiter = createMemoryLimiter(() => performance.now());

  constructor(private readonly deps: ConsoleDeps) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { access: rule, usesPerMinute } = ruleOf(request);
    const token = findBearerToken(request);
    const session =
      token === undefined ? undefined : await findSession(this.deps.controlPlane.dataSource, token);
    const isUsable =
      session !== undefined && (rule.kind === 'session' || !session.mustChangePassword);
    if (isUsable) setOperator(request, session, 'session');
    if (rule.kind === 'public') return true;
    if (!session) throw fail(token && isChallenge(token) ? 'TWO_FACTOR_REQUIRED' : 'UNAUTHORIZED');
    if (!isUsable) throw fail('PASSWORD_CHANGE_REQUIRED');
    // The guard looks for organizations and projects before the input is validated.
    refuseUnstorable(request.params, 'path');
    refuseUnstorable(request.query, 'query');
    refuseUnstorable(request.body, 'body');
    await this.enforce(rule, request, session);
    if (usesPerMinute !== undefined) await this.countUse(request, session, usesPerMinute);
    return true;
  }

  /** Counts the request for its route, project and operator. Throws RATE_LIMITED. */
  private async countUse(
    { method, routeOptions, params }: FastifyRequest,
    { operatorId }: LiveSession,
    max: number,
  ): Promise<void> {
    const ref = isRecord(params) ? params['ref'] : undefined;
    const key = `${method} ${routeOptions.url ?? ''} ${String(ref)} ${operatorId}`;
    const { allowed, retryAfterSeconds } = await this.#limiter.consume([
      { key, rule: { windowSeconds: 60, max } },
    ]);
    if (!allowed) throw fail('RATE_LIMITED', {}, { retryAfterSeconds });
  }

  private async enforce(
    rule: Exclude<AccessRule, { kind: 'public' }>,
    request: FastifyRequest,
    session: LiveSession,
  ): Promise<void> {
    switch (rule.kind) {
      case 'session':
      case 'operator':
        return;
      case 'deployment-admin':
        if (!session.isDeploymentAdmin) throw fail('DEPLOYMENT_ADMIN_REQUIRED');
        setOperator(request, session, 'deployment-admin');
        return;
      case 'capability':
        await this.enforceCapability(rule, request, session);
        return;
    }
  }

  private async enforceCapability(
    { capability, scope }: CapabilityRule,
    request: FastifyRequest,
    session: LiveSession,
  ): Promise<void> {
    const place = placeOf(scope, request);
    const { dataSource } = this.deps.controlPlane;
    const capabilities = await capabilitiesOn(dataSource, session.operatorId, place);
    if (!capabilities) throw fail('ref' in place ? 'PROJECT_NOT_FOUND' : 'ORGANIZATION_NOT_FOUND');
    if (!capabilities.includes(capability)) throw fail('CAPABILITY_REQUIRED', { capability });
    request.capabilities = capabilities;
    setOperator(request, session, { capability, place });
  }
}

function setOperator(
  request: FastifyRequest,
  session: LiveSession,
  needs: Authority['needs'],
): void {
  const { operatorId, email, isDeploymentAdmin, sessionId } = session;
  const { ip, id: requestId } = request;
  const authority = { sessionId, needs };
  request.operator = { operatorId, email, isDeploymentAdmin, sessionId, ip, requestId, authority };
}

function placeOf(scope: CapabilityRule['scope'], request: FastifyRequest): CapabilityScope {
  switch (scope) {
    case 'project':
      return { ref: textIn(request.params, 'ref') };
    case 'organization':
      return { organizationId: textIn(request.params, 'organizationId') };
    case 'organization-in-body':
      return { organizationId: textIn(request.body, 'organizationId') };
    case 'organization-in-query':
      return { organizationId: textIn(request.query, 'organizationId') };
  }
}

/** A text field of an object that is not validated yet. Throws INVALID_INPUT. */
function textIn(source: unknown, field: string): string {
  const value = isRecord(source) && Object.hasOwn(source, field) ? source[field] : undefined;
  if (typeof value !== 'string')
    throw fail('INVALID_INPUT', { field, reason: 'it must be a text' });
  return value;
}
