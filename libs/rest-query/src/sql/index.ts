import type { Plan, StatementTemplate } from '../types.js';
import { readStatements } from './read.js';
import { writeStatements } from './write.js';

/** The statements that do the work of a plan, in the order in which they run. */
export function planStatements(plan: Plan): readonly StatementTemplate[] {
  return plan.kind === 'read' ? readStatements(plan) : writeStatements(plan);
}
