import { fail } from '#libs/errors';
import type { Capability, Credential } from '#libs/wire';

/** Lets everybody pass but operators without the capability. Throws CAPABILITY_REQUIRED (403). */
export function requireCapability(credential: Credential, capability: Capability): void {
  if (credential.kind !== 'operator') return;
  if (credential.operator.capabilities.includes(capability)) return;
  throw fail('CAPABILITY_REQUIRED', { capability });
}
