// The declaration of a route. A controller states it once with @Access; it becomes the configuration of the matched
// route, and guard, hooks, body reader, figures and tests read it from there.
import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

import type { CaptchaClass } from '#libs/captcha';
import type { Area } from '#libs/project-runtime';
import { type BodyRule, noBody, smallJson } from '#libs/web';
import type { Capability } from '#libs/wire';

/**
 * Who may use a route. `public` routes see only the credential; all others receive a caller. `known` callers are
 * signed-in users, the secret key and operators. An `admin` route names the capability that an operator needs; for a
 * `settings-group` route the settings group in the parameter `:group` declares it.
 */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'known' }
  | { readonly kind: 'admin'; readonly capability: Capability }
  | { readonly kind: 'settings-group' };

/** What a route needs besides its access rule. */
export interface RouteNeeds {
  readonly body: BodyRule;
  /** Who answers: a project, its auth engine (which handles credentials itself), or the server for no project. */
  readonly servedBy: 'project' | 'engine' | 'server';
  /**
   * Whether a project that enforces its keys requires one. Pages, public files, and routes to which mails and identity
   * providers send browsers require none; a route with signed links requires none if the URL has a signature.
   */
  readonly projectKey: 'needed' | 'unless-signed' | 'unneeded';
  /** Which CORS rules apply: those of the project, or of the bucket `:slug` if it has any. */
  readonly cors: 'project' | 'bucket';
  /** The name of the route in the CAPTCHA settings; no setting guards a `never` route. */
  readonly captcha?: CaptchaClass;
  /** Under which the figures count the route. */
  readonly area: Area;
  /** Whether the answer while the database is away has the field `db` of the health document. */
  readonly isHealth: boolean;
  /** Whether an answer may have the header `continuesHeader`. */
  readonly mayContinue: boolean;
}

export interface RouteRule extends RouteNeeds {
  readonly access: AccessRule;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on every route of the API. */
    rule?: RouteRule;
  }
}

const usualNeeds: RouteNeeds = {
  body: smallJson,
  servedBy: 'project',
  projectKey: 'needed',
  cors: 'project',
  area: 'other',
  isHealth: false,
  mayContinue: false,
};

const isAdministration = ({ kind }: AccessRule): boolean =>
  kind === 'admin' || kind === 'settings-group';

/** The rule of a route: what it needs besides the usual. Routes for administrators count as `admin`. */
export function routeRule(access: AccessRule, needs: Partial<RouteNeeds> = {}): RouteRule {
  return { ...usualNeeds, ...(isAdministration(access) && { area: 'admin' }), ...needs, access };
}

/** The rule of requests that match no route. They pass all hooks, so that a 404 reveals nothing without access. */
const unmatched = routeRule({ kind: 'public' }, { body: noBody });

/** The rule of the route that a request matches. */
export function ruleOf(request: FastifyRequest): RouteRule {
  return request.matched?.rule ?? unmatched;
}

/** States who may use a route, and what else it needs. The application does not start without. */
export function Access(
  kind: Exclude<AccessRule['kind'], 'admin'>,
  needs?: Partial<RouteNeeds>,
): MethodDecorator;
export function Access(
  kind: 'admin',
  capability: Capability,
  needs?: Partial<RouteNeeds>,
): MethodDecorator;
export function Access(
  kind: AccessRule['kind'],
  second?: Capability | Partial<RouteNeeds>,
  third?: Partial<RouteNeeds>,
): MethodDecorator {
  if (kind !== 'admin') return stated(routeRule({ kind }, Object(second)));
  // The overloads say so.
  return stated(routeRule({ kind, capability: second as Capability }, third));
}

const stated = (rule: RouteRule): MethodDecorator => applyDecorators(RouteConfig({ rule }));
