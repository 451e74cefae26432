import type { Plan } from '../types/plan.js';
import type { StatementTemplate } from '../types/statement.js';
import { callStatements } from './call.js';
import { readStatements } from './read.js';
import { writeStatements } from './write.js';

/** The statements that do the work of a plan, in the order in which they run. */
export function planStatements(plan: Plan): readonly StatementTemplate[] {
  switch (plan.kind) {
    case 'read':
      return readStatements(plan);
    case 'call':
      return callStatements(plan);
    case 'insert':
    case 'update':
    case 'delete':
      return writeStatements(plan);
  }
}
