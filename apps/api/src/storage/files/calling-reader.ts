import type { FastifyRequest } from 'fastify';

import { requireCapability } from '../../http/require-capability.js';
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
