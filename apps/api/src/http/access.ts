import { SetMetadata } from '@nestjs/common';

import type { Capability } from '#libs/wire';

/**
 * Who may use a route. `public` routes see the credential only; the others are given a caller. `known` is
 * every caller who is not signed out: users, and the secret key and operators beside them. An `admin` route
 * names the capability that an operator needs for it; a `settings-group` route is one whose capability is
 * declared by the settings group that the parameter `:group` names.
 */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'known' }
  | { readonly kind: 'admin'; readonly capability: Capability }
  | { readonly kind: 'settings-group' };

export const accessKey = 'rowhouse:access';

/** States who may use a route. Every route has it: the application does not start without. */
export function Access(kind: 'public' | 'signed-in' | 'known' | 'settings-group'): MethodDecorator;
export function Access(kind: 'admin', capability: Capability): MethodDecorator;
export function Access(kind: AccessRule['kind'], capability?: Capability): MethodDecorator {
  const rule = capability === undefined ? { kind } : { kind, capability };
  return SetMetadata(accessKey, rule);
}
