import { findRelationship, type Relationship, type Table } from '#libs/catalog';
import type { EmbedItem, SelectItem, Window } from '../types/grammar.js';
import type { EmbedForm, EmbedPlan, Level } from '../types/plan.js';
import type { EmbedClauses, LevelClauses } from '../types/request.js';
import { checkDefiner, type PlanContext, type PlannedEmbed, type Scope } from './context.js';
import { addressClauses, embedName, type AddressedClauses } from './embed-names.js';
import { orderGroups } from './group-order.js';
import { both, innerJoins, NO_FILTER, resolveFilter } from './filter.js';
import { resolveOrder } from './order.js';
import { isAggregate, planOutputs } from './outputs.js';
import { pageSize } from './page-size.js';
import { spreadEmbed } from './spread.js';

/** The requested parts of a level and of the embeds in it. */
export interface LevelRequest extends LevelClauses {
  readonly select: readonly SelectItem[];
  readonly embedded: readonly EmbedClauses[];
}

const NO_CLAUSES: LevelClauses = {
  where: { kind: 'and', nodes: [] },
  order: [],
  window: { offset: 0, limit: undefined },
};

/**
 * Plans a level over the rows of `table`, with its embeds at any depth. The caller sets its window. Throws PGRST100,
 * 108, 118, 120, 200, 201, 204 and DEFINER_NOT_ALLOWED.
 */
export function planLevel(context: PlanContext, table: Table, request: LevelRequest): Level {
  const scope = planScope(context, table, request);
  const where = both(resolveFilter(scope, request.where), innerJoins(scope));
  return { ...planShown(scope, request), where };
}

/** The names that the clauses of a level may use; this plans its embeds. */
export function planScope(
  context: PlanContext,
  table: Table,
  { select, embedded }: Pick<LevelRequest, 'select' | 'embedded'>,
): Scope {
  const items = select.filter((item) => item.kind === 'embed');
  const clauses = addressClauses(items, embedded);
  const embeds = items.map((item) => planEmbed(context, table, { item, ...clauses.get(item) }));
  return { context, table, embeds };
}

/** The level without filters and order. */
export function planShown(scope: Scope, { select, order }: LevelRequest): Level {
  const outputs = planOutputs(scope, select);
  const terms = resolveOrder(scope, order);
  const isGrouped = outputs.some(isAggregate);
  return {
    outputs,
    embeds: scope.embeds.map(({ plan }) => plan),
    where: NO_FILTER,
    order: isGrouped ? orderGroups(outputs, terms) : terms,
    isGrouped,
  };
}

interface EmbedRequest extends Partial<AddressedClauses> {
  readonly item: EmbedItem;
}

function planEmbed(
  context: PlanContext,
  from: Table,
  { item, own, inner = [] }: EmbedRequest,
): PlannedEmbed {
  const clauses: LevelClauses = own ?? NO_CLAUSES;
  const relationship = findRelationship(context.catalog, from, item);
  if (relationship.kind === 'computed') {
    checkDefiner(context, { ...relationship.routine, isDefiner: relationship.isDefiner });
  }
  const level = planLevel(context, relationship.to, {
    ...clauses,
    select: item.select,
    embedded: inner,
  });
  const plan: EmbedPlan = {
    relationship,
    form: formOf(item, relationship),
    level,
    window: planWindow(context, relationship, clauses.window),
  };
  switch (plan.form) {
    case 'hidden':
      return { item, plan, outputs: [] };
    case 'object':
    case 'array':
      return { item, plan, outputs: [{ kind: 'embed', name: embedName(item), embed: plan }] };
    case 'columns':
    case 'column-arrays':
      return { item, ...spreadEmbed(plan) };
  }
}

function formOf({ select, isSpread }: EmbedItem, { cardinality }: Relationship): EmbedForm {
  if (select.length === 0) return 'hidden';
  if (isSpread) return cardinality === 'one' ? 'columns' : 'column-arrays';
  return cardinality === 'one' ? 'object' : 'array';
}

// Each list in an answer may be as long as the answer itself.
function planWindow(
  { limits }: PlanContext,
  { cardinality }: Relationship,
  window: Window,
): EmbedPlan['window'] {
  if (cardinality === 'one') return window;
  return { offset: window.offset, limit: pageSize(limits, window) };
}
