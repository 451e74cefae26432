// Who may call a route: every controller method says it once with @Access, the guard enforces it.
import type { Capability } from '#libs/wire';
import { SetMetadata } from '@nestjs/common';

/**
 * - `public`: anybody. A session that is shown is still resolved for @CurrentOperator.
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

export const accessKey = Symbol('access');

/** States the rule of a route. A route without one stops the start of the application. */
export const Access = (rule: AccessRule): MethodDecorator => SetMetadata(accessKey, rule);
