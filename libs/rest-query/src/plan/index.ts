import { findExposedTable, type Catalog } from '#libs/catalog';
import type { Plan, RestRequest } from '../types.js';
import { planRead } from './read.js';
import { planDelete, planInsert, planUpdate } from './write.js';

export interface Limits {
  /** Setting `api.rest.maxRows`: default and ceiling of the rows of one answer. */
  readonly maxRows: number;
}

/**
 * The work that a request asks for, with every name resolved: identifiers come from the catalog only.
 * Throws PGRST100, PGRST204, PGRST205.
 */
export function planRequest(catalog: Catalog, limits: Limits, request: RestRequest): Plan {
  const table = findExposedTable(catalog, request.table);
  switch (request.kind) {
    case 'read':
      return planRead(table, request, limits.maxRows);
    case 'insert':
      return planInsert(table, request);
    case 'update':
      return planUpdate(table, request);
    case 'delete':
      return planDelete(table, request);
  }
}
