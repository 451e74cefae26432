import { isListedRoutine, type Catalog, type RoutineName, type Table } from '#libs/catalog';
import { fail } from '#libs/errors';
import type { EmbedItem } from '../types/grammar.js';
import type { EmbedPlan, Output } from '../types/plan.js';

/** The limits that a project's settings put on requests. */
export interface Limits {
  /** Setting `api.rest.maxRows`: default and maximum of the rows of one answer and of each list in it. */
  readonly maxRows: number;
  /** Schemas besides `public` whose functions may be called. */
  readonly functionSchemas: readonly string[];
  /** SECURITY DEFINER functions that may be called: `name` for a function in `public`, or `schema.name`. */
  readonly definerFunctions: readonly string[];
}

export interface PlanContext {
  readonly catalog: Catalog;
  readonly limits: Limits;
}

/** An embed of a level: as requested, and as planned. */
export interface PlannedEmbed {
  readonly item: EmbedItem;
  readonly plan: EmbedPlan;
  /** The outputs of the level that come from it. */
  readonly outputs: readonly Output[];
}

/** The names that select, filters and order of one level may use. */
export interface Scope {
  readonly context: PlanContext;
  readonly table: Table;
  readonly embeds: readonly PlannedEmbed[];
}

/** Throws DEFINER_NOT_ALLOWED for a SECURITY DEFINER function that the settings do not list. */
export function checkDefiner(
  { limits }: PlanContext,
  routine: RoutineName & { readonly isDefiner: boolean },
): void {
  if (!routine.isDefiner || isListedRoutine(routine, limits.definerFunctions)) return;
  throw fail('DEFINER_NOT_ALLOWED', { function: `${routine.schema}.${routine.name}` });
}
