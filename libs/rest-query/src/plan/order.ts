import { fail } from '#libs/errors';
import { shorten } from '../parse/names.js';
import type { OrderName, OrderTerm } from '../types/grammar.js';
import type { OrderValue } from '../types/plan.js';
import { getField } from './columns.js';
import type { Scope } from './context.js';
import { findEmbed } from './embed-names.js';

/**
 * Resolves the terms of an order in `scope`. Throws PGRST204; PGRST108 and PGRST118 for an embed that is missing or may
 * have several rows.
 */
export function resolveOrder(
  scope: Scope,
  order: readonly OrderTerm<OrderName>[],
): readonly OrderTerm<OrderValue>[] {
  return order.map((term) => ({ ...term, value: resolveValue(scope, term.value) }));
}

function resolveValue(scope: Scope, { relation, field: name }: OrderName): OrderValue {
  if (relation === undefined) return { kind: 'field', field: getField(scope, name) };
  const embed = findEmbed(scope.embeds, relation)?.plan;
  if (!embed) throw fail('PGRST108', { name: shorten(relation) });
  const { cardinality, to } = embed.relationship;
  if (cardinality === 'many') throw fail('PGRST118', { name: shorten(relation) });
  const field = getField({ context: scope.context, table: to }, name);
  return { kind: 'related', embed, field };
}
