import type { Plan } from '../types/plan.js';
import type { Preferences } from '../types/request.js';
import { callResponder } from './call.js';
import { readResponder } from './read.js';
import type { Respond } from './response.js';
import { writeResponder } from './write.js';

export type { Respond, ResponseHead, StatementResult } from './response.js';

/**
 * Returns the function that turns the results of a plan into status and headers. It throws PGRST103 and PGRST116 after
 * reads, PGRST116, PGRST124 and NO_ROWS_MATCHED after writes, and all of these but the last, and DATABASE_ERROR, after
 * calls.
 */
export function responder(plan: Plan, preferences: Preferences): Respond {
  switch (plan.kind) {
    case 'read':
      return readResponder(plan, preferences);
    case 'call':
      return callResponder(plan, preferences);
    case 'insert':
    case 'update':
    case 'delete':
      return writeResponder(plan, preferences);
  }
}
