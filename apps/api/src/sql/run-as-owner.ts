import { fail } from '#libs/errors';
import type { Caller } from '#libs/wire';

/**
 * Whether SQL of the caller may run as the owner of the project, who sees its accounts. Without, an operator works on
 * rows alone.
 */
export function mayRunAsOwner(caller: Caller): boolean {
  return caller.via !== 'operator' || caller.operator.capabilities.includes('secrets.manage');
}

/** Throws CAPABILITY_REQUIRED (403) unless SQL of the caller may run as the owner of the project. */
export function requireRunAsOwner(caller: Caller): void {
  if (!mayRunAsOwner(caller)) throw fail('CAPABILITY_REQUIRED', { capability: 'secrets.manage' });
}
