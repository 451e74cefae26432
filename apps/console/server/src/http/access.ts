// Who may call a route: every controller method declares it once with @Access, the guard enforces it.
import { type BodyRule, noBody, smallJson } from '#libs/web';
import type { Capability } from '#libs/wire';
import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/**
 * - `public`: anyone. The session of a request is still resolved for @CurrentOperator.
 * - `session`: signed in, also while the password must be changed.
 * - `operator`: signed in, and the password need not be changed.
 * - `deployment-admin`: an operator who administers the whole deployment.
 * - `capability`: an operator with that capability on the project `:ref` of the path, or on the
 *   organization named by the path (`:organizationId`), by the body or by the query string.
 */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'session' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'deployment-admin' }
  | {
      readonly kind: 'capability';
      readonly capability: Capability;
      readonly scope: 'project' | 'organization' | 'organization-in-body' | 'organization-in-query';
    };

export interface RouteNeeds {
  readonly body: BodyRule;
  /** How many requests of an operator are answered within a minute, by each process. Absent: any number. */
  readonly usesPerMinute?: number;
  /**
   * How many requests of a network to a `public` route are answered within a minute, by each process. They are counted
   * before their bodies are read. Absent: any number.
   */
  readonly visitsPerMinute?: number;
  /** Supervisors call a probe every few seconds: the log names it at `debug` only. */
  readonly isProbe?: true;
}

/** The declaration of a route. Guard, body reader and tests read it from the route that a request matches. */
export interface RouteRule extends RouteNeeds {
  readonly access: AccessRule;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on every route of the console. */
    consoleRule?: RouteRule;
  }
}

/** For `public` routes that check a password, a code or a link: more than the visitors behind one address need. */
export const attempts = { visitsPerMinute: 300 } as const;

/** The rule of a route: bodies are small forms unless the route needs something else. */
export function routeRule(access: AccessRule, needs: Partial<RouteNeeds> = {}): RouteRule {
  return { body: smallJson, ...needs, access };
}

const unmatched = routeRule({ kind: 'public' }, { body: noBody });

/** The rule of the route that a request matches. */
export function ruleOf(request: FastifyRequest): RouteRule {
  return request.matched?.consoleRule ?? unmatched;
}

/** Declares who may use a route, and what else it needs. The application does not start with a route without it. */
export const Access = (rule: AccessRule, needs?: Partial<RouteNeeds>): MethodDecorator =>
  applyDecorators(RouteConfig({ consoleRule: routeRule(rule, needs) }));
