// Short texts of plans, so that a test can state on one line how a request is planned.
import type { EmbedPlan, Field, Filter, Level, OrderValue, Output } from '../src/types/plan.js';

/** `id, n=name, moons[id]` : outputs by name, embeds with what is in them. */
export function outputsText({ outputs }: Level): string {
  return outputs.map(outputText).join(', ');
}

function outputText(output: Output): string {
  switch (output.kind) {
    case 'value':
      return named(output.name, fieldText(output.field) + castText(output.cast));
    case 'aggregate': {
      const value = output.field ? fieldText(output.field) + castText(output.cast) : '*';
      const { function: name, cast } = output.aggregation;
      return named(output.name, `${name}(${value})${castText(cast)}`);
    }
    case 'embed':
      return named(output.name, embedText(output.embed));
    case 'spread': {
      const column = `${output.embed.relationship.to.name}.${output.column}`;
      const { aggregation } = output;
      return named(output.name, aggregation ? `${aggregation.function}(${column})` : column);
    }
  }
}

/** `moons[…]` for many rows, `planets{…}` for one. */
export function embedText({ form, level, relationship }: EmbedPlan): string {
  const inner = outputsText(level);
  const [open, close] = form === 'array' || form === 'column-arrays' ? '[]' : '{}';
  return `${relationship.to.name}${open}${inner}${close}`;
}

function named(name: string, value: string): string {
  return name === value ? value : `${name}=${value}`;
}

function castText(cast: string | undefined): string {
  return cast === undefined ? '' : `::${cast.replace(/^pg_catalog\./, '')}`;
}

export function fieldText({ source, path }: Field): string {
  const steps = path.map(({ key, isText }) => `${isText ? '->>' : '->'}${key}`).join('');
  return `${source.column.name}${source.kind === 'computed' ? '(t)' : ''}${steps}`;
}

export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `${filter.kind}(${filter.nodes.map(filterText).join(', ')})`;
    case 'not':
      return `not ${filterText(filter.node)}`;
    case 'leaf': {
      const { leaf } = filter;
      if (leaf.kind === 'related') return `has ${leaf.embed.relationship.to.name}`;
      const { test } = leaf;
      return `${fieldText(leaf.field)} ${'operator' in test ? test.operator : test.kind}`;
    }
  }
}

export function orderText(value: OrderValue): string {
  if (value.kind === 'output') return `output ${value.name}`;
  const field = fieldText(value.field);
  return value.kind === 'field' ? field : `${value.embed.relationship.to.name}(${field})`;
}
