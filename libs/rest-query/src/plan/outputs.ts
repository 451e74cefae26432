import { syntaxError } from '../parse/names.js';
import type { FieldName, SelectItem } from '../types/grammar.js';
import type { Output } from '../types/plan.js';
import { findField, getField } from './columns.js';
import { castType } from './cast.js';
import type { PlannedEmbed, Scope } from './context.js';

/**
 * The outputs of a level, in the order of `select`. Every column is named in the statement, also for `*`: a prepared
 * statement with `*` breaks when the table changes. Of two columns with one name the later is kept, as in a JSON
 * parser, and an embed is kept before a column. Throws PGRST204, PGRST100 for two embeds with one name, CAST_REFUSED,
 * DEFINER_NOT_ALLOWED.
 */
export function planOutputs(scope: Scope, select: readonly SelectItem[]): readonly Output[] {
  const outputs = new Map<string, Output>();
  for (const item of select) {
    for (const output of outputsOf(scope, item)) add(outputs, output);
  }
  return [...outputs.values()];
}

function add(outputs: Map<string, Output>, output: Output): void {
  const known = outputs.get(output.name);
  if (known?.kind !== 'embed') outputs.set(output.name, output);
  else if (output.kind === 'embed') {
    throw syntaxError(`two embeds are called ${output.name}; give one of them an alias`);
  }
}

/** Whether an output combines many rows into one value. */
export function isAggregate(output: Output): boolean {
  if (output.kind === 'spread') return output.aggregation !== undefined;
  return output.kind === 'aggregate';
}

function outputsOf(scope: Scope, item: SelectItem): readonly Output[] {
  switch (item.kind) {
    case 'all':
      return scope.table.columns.map((column) => ({
        kind: 'value',
        name: column.name,
        field: { source: { kind: 'column', column }, path: [] },
        cast: undefined,
      }));
    case 'field':
      return [fieldOutput(scope, item)];
    case 'count':
      return [
        {
          kind: 'aggregate',
          name: item.alias ?? 'count',
          field: undefined,
          cast: undefined,
          aggregation: { function: 'count', cast: castType(scope, item.cast) },
        },
      ];
    case 'embed':
      return embedOutputs(scope.embeds, item);
  }
}

function fieldOutput(scope: Scope, item: Extract<SelectItem, { kind: 'field' }>): Output {
  const { alias } = item;
  const bare = bareCount(scope, item);
  if (bare) return bare;
  const field = getField(scope, item.field);
  const cast = castType(scope, item.cast);
  if (item.aggregation) {
    const name = alias ?? item.aggregation.function;
    const aggregation = { ...item.aggregation, cast: castType(scope, item.aggregation.cast) };
    return { kind: 'aggregate', name, field, cast, aggregation };
  }
  return { kind: 'value', name: alias ?? nameOf(item.field), field, cast };
}

// `count` without parentheses is older than aggregates, and clients still write `relation(count)`. A column or a
// computed column with that name takes precedence.
function bareCount(
  scope: Scope,
  { field, alias, cast, aggregation }: Extract<SelectItem, { kind: 'field' }>,
): Output | undefined {
  if (field.name !== 'count' || field.path.length > 0 || aggregation) return undefined;
  if (findField(scope, field)) return undefined;
  return outputsOf(scope, { kind: 'count', alias, cast })[0];
}

// The last key of a path that is not an index: `data->tags->>0` is called `tags`. A column of SQL needs a name, so an
// empty key gives none.
function nameOf({ name, path }: FieldName): string {
  return path.findLast(({ kind, key }) => kind === 'key' && key !== '')?.key ?? name;
}

function embedOutputs(embeds: readonly PlannedEmbed[], item: SelectItem): PlannedEmbed['outputs'] {
  return embeds.find((embed) => embed.item === item)?.outputs ?? [];
}
