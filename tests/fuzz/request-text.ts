// What a random request says, as it is written down, and which of it may show up in its statements.
import type { Catalog, Column, Table } from '#libs/catalog';
import type { Dice } from './dice.js';

/** Begins operands and values of bodies that no text of a statement may hold. */
export const MARK = 'zqvalue';

/** What of a request may stand in the text of its statements. */
export interface Permitted {
  /** Names that the request gives to parts of its answer, and types that it casts to. */
  readonly outputs: Set<string>;
  /** Keys of JSON paths and text search configurations: they become literals. */
  readonly literals: Set<string>;
}

/** A request while it is written. */
export interface Draft extends Permitted {
  readonly dice: Dice;
  readonly catalog: Catalog;
  /** Parameters of the query string, not encoded yet. */
  readonly parameters: (readonly [name: string, value: string])[];
}

export function emptyDraft(dice: Dice, catalog: Catalog): Draft {
  return {
    dice,
    catalog,
    outputs: new Set(),
    literals: new Set(),
    parameters: [],
  };
}

const SIMPLE = /^[a-z]\w*$/i;

/** A name in the grammar of requests: in quotes where it needs them, and sometimes where it does not. */
export function writeName(dice: Dice, name: string): string {
  const needsQuotes = !SIMPLE.test(name) || ['not', 'and', 'or', 'count'].includes(name);
  return needsQuotes || dice.chance(10) ? quoted(name) : name;
}

/** A name at the beginning of a parameter, where words such as `select` mean something else. */
export function writeParameterName(dice: Dice, name: string): string {
  const isReserved = /^(?:select|order|limit|offset|and|or|columns|on_conflict)$/.test(name);
  return isReserved ? quoted(name) : writeName(dice, name);
}

export function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}

/** An alias, which names a part of the answer. */
export function writeAlias({ dice, outputs }: Draft, nextName: () => string): string {
  const alias = nextName();
  outputs.add(alias);
  return `${writeName(dice, alias)}:`;
}

const KEYS = [
  'a',
  'b c',
  "it's",
  'back\\slash',
  '"',
  '',
  'dot.ted',
  '日本',
  ') or true --',
  '$1',
  '-',
  'long '.repeat(20),
  'lang '.repeat(20).toUpperCase(),
  'long '.repeat(21),
];

/** What follows a column: a path into its value, now and then. */
export function writePath({ dice, outputs, literals }: Draft, column: Column | undefined): string {
  const isJson = column?.valueKind === 'json' || column?.valueKind === 'jsonb';
  if (!dice.chance(isJson ? 40 : 3)) return '';
  const steps = dice.many({ least: 1, most: 4, percent: 40 }, () => {
    if (dice.chance(30)) return String(dice.upTo(3) - 1);
    const key = dice.pick(KEYS);
    literals.add(key);
    outputs.add(key);
    return SIMPLE.test(key) ? key : quoted(key);
  });
  return steps
    .map((step, i) => `->${i === steps.length - 1 && dice.chance(50) ? '>' : ''}${step}`)
    .join('');
}

/** A column or a computed column of a table. */
export function pickField(
  { dice }: Draft,
  table: Table,
): { readonly name: string; readonly column: Column | undefined } {
  const computed = [...table.computedColumns.keys()];
  if (computed.length > 0 && dice.chance(15))
    return { name: dice.pick(computed), column: undefined };
  const column = dice.pick(table.columns);
  return { name: column.name, column };
}

/** The query string of what has been written. */
export function queryString({ dice, parameters }: Draft): string {
  return parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join(dice.chance(2) ? '&&' : '&');
}
