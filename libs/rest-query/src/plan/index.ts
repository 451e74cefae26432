import { findExposedTable } from '#libs/catalog';
import type { Plan } from '../types/plan.js';
import type { RestRequest } from '../types/request.js';
import { planCall } from './call.js';
import type { PlanContext } from './context.js';
import { planRead } from './read.js';
import { planDelete, planInsert, planUpdate } from './write.js';

export type { Limits, PlanContext } from './context.js';
export { isUnfiltered } from './filter.js';

/**
 * Plans a request: every name is resolved, and identifiers come from the catalog only. Throws PGRST100, 107, 108, 118,
 * 120, 200 to 205 and DEFINER_NOT_ALLOWED.
 */
export function planRequest(context: PlanContext, request: RestRequest): Plan {
  if (request.kind === 'call') return planCall(context, request);
  const table = findExposedTable(context.catalog, request.table);
  switch (request.kind) {
    case 'read':
      return planRead(context, table, request);
    case 'insert':
      return planInsert(context, table, request);
    case 'update':
      return planUpdate(context, table, request);
    case 'delete':
      return planDelete(context, table, request);
  }
}
