import { isListedRoutine, type Catalog, type RoutineName, type Table } from '#libs/catalog';
import { fail } from '#libs/errors';
import type { EmbedItem } from '../types/grammar.js';
import type { EmbedPlan, Output } from '../types/plan.js';

/** What the settings of a project say about requests. */
export interface Limits {
  /** Setting `api.rest.maxRows`: default and ceiling of the rows of one answer and of each list in it. */
  readonly maxRows: number;
  /** Schemas besides `public` whose functions may be called. */
  readonly functionSchemas: readonly string[];
  /** SECURITY DEFINER functions that may be called: `name` for one of `public`, or `schema.name`. */
  readonly definerFunctions: readonly string[];
}

export interface PlanContext {
  readonly catalog: Catalog;
  readonly limits: Limits;
}

/** An embed of a level: what was asked for, and what became of it. */
export interface PlannedEmbed {
  readonly item: EmbedItem;
  readonly plan: EmbedPlan;
  /** What the level shows of it. */
  readonly outputs: readonly Output[];
}

/** What the names in select, filters and order of one level may mean. */
export interface Scope {
  readonly context: PlanContext;
  readonly table: Table;
  readonly embeds: readonly PlannedEmbed[];
}

/** Throws DEFINER_NOT_ALLOWED for a function with the rights of its owner that the settings do not list. */
export function checkDefiner(
  { limits }: PlanContext,
  routine: RoutineName & { readonly isDefiner: boolean },
): void {
  if (!routine.isDefiner || isListedRoutine(routine, limits.definerFunctions)) return;
  throw fail('DEFINER_NOT_ALLOWED', { function: `${routine.schema}.${routine.name}` });
}
