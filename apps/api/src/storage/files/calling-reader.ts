import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import type { Capability, Credential } from '#libs/wire';

import { scopeOf } from '../../http/request-scope.js';
import type { CallingReader } from './file-rights.sql.js';

/**
 * Returns the caller as a reader under its policies. Throws CAPABILITY_REQUIRED (403) for an operator
 * without the capability.
 */
export function callingReader(
  request: FastifyRequest,
  capability: 'content.read' | 'content.write',
): CallingReader {
  const { credential, client } = scopeOf(request);
  requireCapability(credential, capability);
  return { kind: 'caller', credential, client };
}

/** Lets everybody pass but operators without the capability. Throws CAPABILITY_REQUIRED (403). */
export function requireCapability(credential: Credential, capability: Capability): void {
  if (credential.kind !== 'operator') return;
  if (credential.operator.capabilities.includes(capability)) return;
  throw fail('CAPABILITY_REQUIRED', { capability });
}
