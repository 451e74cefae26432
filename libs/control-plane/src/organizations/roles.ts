// The table of the ready-made roles of an operator.
import { fail } from '#libs/errors';
import { CAPABILITIES, type Capability } from '#libs/wire';

export const ROLES = {
  owner: CAPABILITIES,
  developer: [
    'settings.manage',
    'secrets.manage',
    'content.read',
    'content.write',
    'imports.run',
    'audit.read',
  ],
  support: ['content.read', 'content.write', 'audit.read'],
  viewer: ['content.read'],
} as const satisfies Record<string, readonly Capability[]>;

/** A ready-made role, or `custom`: the capabilities are listed in the membership. */
export type Role = keyof typeof ROLES | 'custom';

export const roleNames: readonly Role[] = ['owner', 'developer', 'support', 'viewer', 'custom'];

/** The ready-made roles that have a capability. */
export function rolesWith(capability: Capability): readonly Role[] {
  return roleNames.filter((role) => capabilitiesOf({ role }).includes(capability));
}

/** A granted role and, for the role `custom` alone, the list of capabilities. */
export interface Grant {
  readonly role: Role;
  readonly capabilities?: readonly Capability[];
}

/** The capabilities of a grant in the order of the list of all capabilities. */
export function capabilitiesOf(grant: Grant): readonly Capability[] {
  const given: readonly Capability[] =
    grant.role === 'custom' ? (grant.capabilities ?? []) : ROLES[grant.role];
  return CAPABILITIES.filter((capability) => given.includes(capability));
}

/**
 * Throws CAPABILITY_REQUIRED, naming the first capability of the grant that the giver lacks: operators cannot give or
 * take more than they have.
 */
export function assertMayGrant(own: readonly Capability[], grant: Grant): void {
  const missing = capabilitiesOf(grant).find((capability) => !own.includes(capability));
  if (missing !== undefined) throw fail('CAPABILITY_REQUIRED', { capability: missing });
}
