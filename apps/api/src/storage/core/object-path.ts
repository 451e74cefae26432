import type { FastifyRequest } from 'fastify';

import { isRecord } from '#libs/wire';

/**
 * Returns the path at the end of the address of a request, decoded once. The router leaves out a slash at the end;
 * here it stays, because `a/` is another path than `a`.
 */
export function objectPathOf({ params, url }: FastifyRequest): string {
  const path = isRecord(params) ? params['*'] : undefined;
  if (typeof path !== 'string') throw new TypeError('The route has no path at its end');
  const [target = ''] = url.split('?', 1);
  return target.endsWith('/') ? `${path}/` : path;
}
