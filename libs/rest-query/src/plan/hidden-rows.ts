// The planner's estimates come from statistics over all rows of a table, including rows that policies hide: an
// estimate for `diagnosis=eq.flu` reveals how many hidden rows have that value.
import type { Table } from '#libs/catalog';
import type { EmbedPlan, Field, Filter, Level } from '../types/plan.js';

/** Whether the planner's estimate of the number of rows of `level` over `table` may depend on rows that policies hide. */
export function estimateRevealsHiddenRows(table: Table, level: Level): boolean {
  return (
    table.hasRls ||
    level.embeds.some(embedReveals) ||
    filterReveals(level.where) ||
    level.outputs.some((output) => 'field' in output && output.field && isComputed(output.field))
  );
}

function embedReveals({ relationship, level }: EmbedPlan): boolean {
  switch (relationship.kind) {
    case 'computed':
      return true;
    case 'junction':
      return relationship.through.hasRls || estimateRevealsHiddenRows(relationship.to, level);
    case 'foreign-key':
      return estimateRevealsHiddenRows(relationship.to, level);
  }
}

function filterReveals(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.nodes.some(filterReveals);
    case 'not':
      return filterReveals(filter.node);
    case 'leaf':
      return filter.leaf.kind === 'test' && isComputed(filter.leaf.field);
  }
}

// PostgreSQL may inline the body of a function, and with it tables of any kind.
function isComputed({ source }: Field): boolean {
  return source.kind === 'computed';
}
