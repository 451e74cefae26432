import { fail } from '#libs/errors';
import type { OrderTerm } from '../types/grammar.js';
import type { Field, OrderValue, Output } from '../types/plan.js';

/**
 * Groups have no other values than those that make them, so they are ordered by selected columns alone.
 * Throws PGRST100.
 */
export function checkGroupOrder(
  outputs: readonly Output[],
  order: readonly OrderTerm<OrderValue>[],
): void {
  for (const { value } of order) {
    if (outputs.some((output) => groupsBy(output, value))) continue;
    const { name } = value.field.source.column;
    throw fail('PGRST100', { reason: `order names ${name}, which does not group the rows` });
  }
}

function groupsBy(output: Output, value: OrderValue): boolean {
  if (value.kind === 'field') return shows(output, value.field);
  return (
    output.kind === 'spread' &&
    output.embed === value.embed &&
    output.aggregation === undefined &&
    value.embed.level.outputs.some(
      (inner) => inner.name === output.column && shows(inner, value.field),
    )
  );
}

function shows(output: Output, field: Field): boolean {
  return (
    output.kind === 'value' &&
    output.cast === undefined &&
    output.field.source.column === field.source.column &&
    JSON.stringify(output.field.path) === JSON.stringify(field.path)
  );
}
