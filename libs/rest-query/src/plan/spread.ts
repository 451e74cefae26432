// The outputs of a level for an embed whose columns are spread into it.
//
// An aggregate over a to-one embed covers the rows of the outer level, because each of them has one row there: it is
// moved out of the embed, through all enclosing spreads.
import type { EmbedPlan, Level, Output } from '../types/plan.js';
import { isAggregate } from './outputs.js';

export interface Spread {
  readonly plan: EmbedPlan;
  readonly outputs: readonly Output[];
}

/** The embed without the aggregates that are moved out of it, and the outputs of the outer level. */
export function spreadEmbed(embed: EmbedPlan): Spread {
  const isLifted = embed.form === 'columns' && embed.level.isGrouped;
  const plan = isLifted ? { ...embed, level: ungroup(embed.level) } : embed;
  return {
    plan,
    outputs: embed.level.outputs.map((output) => shownAbove(plan, output)),
  };
}

function ungroup(level: Level): Level {
  return { ...level, isGrouped: false, outputs: level.outputs.flatMap(withoutAggregate) };
}

function withoutAggregate(output: Output): readonly Output[] {
  if (output.kind === 'spread') return [{ ...output, aggregation: undefined }];
  if (output.kind !== 'aggregate') return [output];
  const { name, field, cast } = output;
  return field ? [{ kind: 'value', name, field, cast }] : [];
}

// The number of rows is that of the outer level, which has each row of a to-one embed once.
function shownAbove(plan: EmbedPlan, output: Output): Output {
  const { name } = output;
  const isLifted = plan.form === 'columns' && isAggregate(output);
  if (isLifted && output.kind === 'aggregate' && !output.field) return output;
  const aggregation =
    isLifted && (output.kind === 'aggregate' || output.kind === 'spread')
      ? output.aggregation
      : undefined;
  return { kind: 'spread', name, embed: plan, column: name, aggregation };
}
