// What a random request shows of a table: columns, casts, aggregates, and embeds inside each other.
import type { Table } from '#libs/catalog';
import { type EmbedWay, embedWays } from './embed-ways.js';
import { addClauses, relatedOrder } from './random-clauses.js';
import {
  type Draft,
  pickField,
  writeAlias,
  writeName,
  writeParameterName,
  writePath,
} from './request-text.js';

const CASTS = [
  'text',
  'int',
  'integer',
  'json',
  'jsonb',
  'numeric',
  'bool',
  'text[]',
  'date',
  'varchar',
];
const ODD_CASTS = [
  'select',
  'no_such_type',
  'record',
  'regclass',
  'void',
  'array',
  'double',
  'setof',
  'user',
];
const AGGREGATES = ['count', 'sum', 'avg', 'max', 'min'];
const MAX_DEPTH = 4;

/** A level that is being written. */
export interface SelectLevel {
  readonly table: Table;
  /** In front of the parameters of the level: `author.posts.`. */
  readonly prefix: string;
  readonly depth: number;
  readonly nextAlias: () => string;
}

/** The items of `select` for a table; adds the clauses of the embeds, and of the level itself. */
export function writeSelect(draft: Draft, level: SelectLevel): string {
  const { dice, catalog, parameters } = draft;
  const ways = level.depth < MAX_DEPTH ? embedWays(catalog, level.table) : [];
  const isGrouped = dice.chance(8);
  const embeds: EmbedWay[] = [];
  const items = dice.many({ least: 1, most: 6, percent: 60 }, () => {
    if (ways.length > 0 && dice.chance(35)) {
      const way = dice.pick(ways);
      const { text, name } = writeEmbed(draft, level, way);
      embeds.push({ ...way, relation: name });
      return text;
    }
    return writeItem(draft, level, isGrouped);
  });
  addClauses(
    draft,
    { table: level.table, prefix: level.prefix, embeds: embeds.map(({ relation }) => relation) },
    { isRoot: level.depth === 0 },
  );
  const related = dice.chance(10) ? relatedOrder(draft, embeds) : undefined;
  const hasOrder = parameters.some(([name]) => name === `${level.prefix}order`);
  if (related !== undefined && !hasOrder) parameters.push([`${level.prefix}order`, related]);
  return items.join(dice.chance(5) ? ', ' : ',');
}

function writeItem(draft: Draft, { table, nextAlias }: SelectLevel, isGrouped: boolean): string {
  const { dice, outputs } = draft;
  const alias = dice.chance(15) ? writeAlias(draft, nextAlias) : '';
  if (isGrouped && dice.chance(30)) {
    outputs.add('count');
    return `${alias}count()`;
  }
  if (!isGrouped && alias === '' && dice.chance(15)) return '*';
  const { name, column } = pickField(draft, table);
  const field = alias + writeName(dice, name) + writePath(draft, column);
  const cast = dice.chance(15) ? writeCast(draft) : '';
  if (!isGrouped || dice.chance(40)) return field + cast;
  const aggregate = dice.pick(AGGREGATES);
  outputs.add(aggregate);
  return `${field}${cast}.${aggregate}()${dice.chance(20) ? writeCast(draft) : ''}`;
}

function writeCast({ dice, outputs }: Draft): string {
  const cast = dice.pick(dice.chance(10) ? ODD_CASTS : CASTS);
  outputs.add(cast.replace('[]', ''));
  return `::${cast}`;
}

function writeEmbed(
  draft: Draft,
  { prefix, depth, nextAlias }: SelectLevel,
  { relation, hint, to }: EmbedWay,
): { readonly text: string; readonly name: string } {
  const { dice, outputs } = draft;
  const isSpread = dice.chance(15);
  const alias = dice.chance(60) ? nextAlias() : undefined;
  outputs.add(alias ?? relation);
  const modifiers = [
    hint !== undefined && dice.chance(95) ? `!${writeName(dice, hint)}` : '',
    dice.pick(['', '', '', '!inner', '!left']),
  ];
  const address = `${prefix}${writeParameterName(dice, alias ?? relation)}.`;
  const inner = dice.chance(5)
    ? ''
    : writeSelect(draft, { table: to, prefix: address, depth: depth + 1, nextAlias });
  const target =
    (alias === undefined ? '' : `${writeName(dice, alias)}:`) + writeName(dice, relation);
  return {
    text: `${isSpread ? '...' : ''}${target}${modifiers.join('')}(${inner})`,
    name: writeParameterName(dice, alias ?? relation),
  };
}
