import type { Explain } from '../types/plan.js';
import type { StatementTemplate } from '../types/statement.js';

/** The statement that returns the plan of `statement` instead of its rows, in lines of text. */
export function explainStatement(
  explain: Explain,
  { text, parameters }: StatementTemplate,
): StatementTemplate {
  const options = [`format ${explain.as}`, ...explain.options].join(', ');
  return { text: `explain (${options}) ${text}`, parameters, gives: 'rows' };
}
