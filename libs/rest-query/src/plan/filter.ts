import { fail } from '#libs/errors';
import { shorten } from '../parse/names.js';
import type { FilterTree, ParsedCondition } from '../types/grammar.js';
import type { EmbedPlan, Filter } from '../types/plan.js';
import { findField, unknownColumn } from './columns.js';
import type { Scope } from './context.js';
import { findEmbed } from './embed-names.js';

export const NO_FILTER: Filter = { kind: 'and', nodes: [] };

/** Whether a tree of filters matches every row because it has no condition. */
export function isUnfiltered(node: Filter): boolean {
  return node.kind === 'and' && node.nodes.length === 0;
}

/**
 * Resolves the names of a tree of filters in `scope`: a column first, then an embed. Throws PGRST204, PGRST120,
 * PGRST100 and DEFINER_NOT_ALLOWED.
 */
export function resolveFilter(scope: Scope, node: FilterTree<ParsedCondition>): Filter {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, nodes: node.nodes.map((child) => resolveFilter(scope, child)) };
    case 'not':
      return negate(resolveFilter(scope, node.node));
    case 'leaf':
      return resolveCondition(scope, node.leaf);
  }
}

/** Both filters together. */
export function both(one: Filter, other: Filter): Filter {
  return { kind: 'and', nodes: [...conjuncts(one), ...conjuncts(other)] };
}

/** The condition that each embed with `!inner` has a row. */
export function innerJoins({ embeds }: Pick<Scope, 'embeds'>): Filter {
  const inner = embeds.filter(({ item }) => item.join === 'inner');
  return { kind: 'and', nodes: inner.map(({ plan }) => hasRow(plan)) };
}

function conjuncts(node: Filter): readonly Filter[] {
  return node.kind === 'and' ? node.nodes : [node];
}

function negate(node: Filter): Filter {
  return node.kind === 'not' ? node.node : { kind: 'not', node };
}

function hasRow(embed: EmbedPlan): Filter {
  return { kind: 'leaf', leaf: { kind: 'related', embed } };
}

function resolveCondition(scope: Scope, { field: name, test }: ParsedCondition): Filter {
  const field = findField(scope, name);
  if (field) return { kind: 'leaf', leaf: { kind: 'test', field, test } };
  const embed = findEmbed(scope.embeds, name.name);
  if (!embed) throw unknownColumn(scope.table, name.name);
  const isNullTest = test.kind === 'is' && name.path.length === 0;
  if (isNullTest && test.keyword === 'null') return negate(hasRow(embed.plan));
  if (isNullTest && test.keyword === 'not_null') return hasRow(embed.plan);
  throw fail('PGRST120', { name: shorten(name.name) });
}
