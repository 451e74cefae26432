import { quoteIdent } from '#libs/wire';

import type { Aggregation, AggregateName } from '../types/grammar.js';
import type { EmbedPlan, Level, Output } from '../types/plan.js';
import { fieldSql, isJson } from './field.js';
import { namedSql } from './quote.js';
import type { Row } from './row.js';

/**
 * How the select list refers to the embeds of a level: the value of an embed that is one output, or the alias of a
 * joined embed.
 */
export type EmbedReferences = ReadonlyMap<EmbedPlan, string>;

/** The select list of a level, and its ` group by …`. */
export interface Outputs {
  readonly list: string;
  readonly groups: string;
}

/** The outputs of a level over `row`. With aggregates, rows that agree in all other outputs form a group. */
export function outputsSql(level: Level, row: Row, embeds: EmbedReferences): Outputs {
  if (!level.isGrouped) {
    const list = level.outputs.map((output) =>
      namedSql(outputSql(output, row, embeds), output.name, row.alias),
    );
    return { list: list.join(', '), groups: '' };
  }
  const keys: string[] = [];
  const list = level.outputs.map((output) => {
    const sql = outputSql(output, row, embeds);
    if (isAggregate(output)) return namedSql(sql, output.name, row.alias);
    if (!isJsonOutput(output)) {
      keys.push(sql);
      return namedSql(sql, output.name, row.alias);
    }
    // The type json has no equality, so rows are grouped by its text.
    keys.push(`(${sql})::pg_catalog.text`);
    return `(${sql})::pg_catalog.text::pg_catalog.json as ${quoteIdent(output.name)}`;
  });
  return {
    list: list.join(', '),
    groups: keys.length === 0 ? '' : ` group by ${keys.join(', ')}`,
  };
}

function outputSql(output: Output, row: Row, embeds: EmbedReferences): string {
  switch (output.kind) {
    case 'value':
      return castSql(fieldSql(row, output.field), output.cast);
    case 'aggregate': {
      const value = output.field && castSql(fieldSql(row, output.field), output.cast);
      return aggregateSql(value ?? '*', output.aggregation, typeOf(output));
    }
    case 'embed':
      return embeds.get(output.embed) ?? '';
    case 'spread':
      return spreadSql(output, embeds.get(output.embed) ?? '');
  }
}

/** The type of the value of an output, before its aggregate; undefined for JSON. */
function typeOf(output: Output): string | undefined {
  switch (output.kind) {
    case 'value':
    case 'aggregate':
      if (output.cast !== undefined) return output.cast;
      return output.field?.path.length === 0 ? output.field.source.column.baseType : undefined;
    case 'spread': {
      const source = output.embed.form === 'columns' ? spreadSource(output) : undefined;
      return source && typeOf(source);
    }
    case 'embed':
      return undefined;
  }
}

function spreadSource({ embed, column }: Extract<Output, { kind: 'spread' }>): Output | undefined {
  return embed.level.outputs.find(({ name }) => name === column);
}

function spreadSql(output: Extract<Output, { kind: 'spread' }>, alias: string): string {
  const column = `${alias}.${quoteIdent(output.column)}`;
  if (output.aggregation) return aggregateSql(column, output.aggregation, typeOf(output));
  return output.embed.form === 'column-arrays' ? `coalesce(${column}, '[]')` : column;
}

function aggregateSql(value: string, aggregation: Aggregation, type?: string): string {
  return castSql(`${aggregateName(aggregation.function, type)}(${value})`, aggregation.cast);
}

// A project's own type may have aggregates of its own (`max` of citext), which the search path finds.
function aggregateName(name: AggregateName, type = ''): string {
  const isOwnType = type.includes('.') && !type.startsWith('pg_catalog.');
  return isOwnType && name !== 'count' ? name : `pg_catalog.${name}`;
}

function castSql(sql: string, cast: string | undefined): string {
  return cast === undefined ? sql : `${sql}::${cast}`;
}

function isAggregate(output: Output): boolean {
  return output.kind === 'aggregate' || (output.kind === 'spread' && !!output.aggregation);
}

function isJsonOutput(output: Output): boolean {
  switch (output.kind) {
    case 'value':
      return output.cast === undefined ? isJson(output.field) : output.cast === 'pg_catalog.json';
    case 'aggregate':
      return false;
    case 'embed':
      return true;
    case 'spread': {
      if (output.embed.form === 'column-arrays') return true;
      const source = spreadSource(output);
      return source !== undefined && isJsonOutput(source);
    }
  }
}
