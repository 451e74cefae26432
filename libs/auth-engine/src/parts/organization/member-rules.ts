// Who may change whom. An owner may change everybody; an admin everybody but owners, and makes none; a member
// may do nothing but leave. That the last owner stays one is the database's rule (migration 0015).
import type { OrganizationRole } from './checks.js';

/** Whether a member with the role `actor` may remove one with the role `target`. */
export function mayRemove(actor: OrganizationRole, target: OrganizationRole): boolean {
  return actor === 'owner' || (actor === 'admin' && target !== 'owner');
}

/** Whether a member with the role `actor` may turn the role `from` of a member into `to`. */
export function mayChangeRole(
  actor: OrganizationRole,
  from: OrganizationRole,
  to: OrganizationRole,
): boolean {
  return mayRemove(actor, from) && (actor === 'owner' || to !== 'owner');
}
