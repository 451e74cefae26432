import { fail } from '#libs/errors';
import type { OrderTerm } from '../types/grammar.js';
import type { Field, OrderValue, Output } from '../types/plan.js';

/**
 * The order of grouped rows. Groups have only the values of their grouping columns, so they are ordered by selected
 * columns alone; those of a spread embed exist only as outputs. Throws PGRST100.
 */
export function orderGroups(
  outputs: readonly Output[],
  order: readonly OrderTerm<OrderValue>[],
): readonly OrderTerm<OrderValue>[] {
  return order.map((term) => ({ ...term, value: groupValue(outputs, term.value) }));
}

function groupValue(outputs: readonly Output[], value: OrderValue): OrderValue {
  switch (value.kind) {
    case 'output':
      return value;
    case 'field':
      if (outputs.some((output) => shows(output, value.field))) return value;
      break;
    case 'related': {
      const output = outputs.find((candidate) => spreads(candidate, value));
      if (output) return { kind: 'output', name: output.name };
    }
  }
  const { name } = value.field.source.column;
  throw fail('PGRST100', { reason: `order names ${name}, which does not group the rows` });
}

function spreads(
  output: Output,
  { embed, field }: Extract<OrderValue, { readonly kind: 'related' }>,
): boolean {
  return (
    output.kind === 'spread' &&
    output.embed === embed &&
    output.aggregation === undefined &&
    embed.level.outputs.some((inner) => inner.name === output.column && shows(inner, field))
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
