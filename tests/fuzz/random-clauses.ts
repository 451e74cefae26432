// Filters, logic trees, orders and windows of the rows of one level.
import type { Column, Table } from '#libs/catalog';
import type { EmbedWay } from './embed-ways.js';
import { samplesOf } from './random-types.js';
import {
  type Draft,
  MARK,
  pickField,
  quoted,
  writeName,
  writeParameterName,
  writePath,
} from './request-text.js';

/** A level of a request: its table, the embeds that lead to it, and those that it has. */
export interface LevelName {
  readonly table: Table;
  /** Written as in front of a parameter: `author.posts.`. */
  readonly prefix: string;
  readonly embeds: readonly string[];
}

const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'];
const PATTERNS = ['like', 'ilike', 'match', 'imatch'];
const SETS = ['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'];
const SEARCHES = ['fts', 'plfts', 'phfts', 'wfts', 'fts(english)', 'wfts(pg_catalog.simple)'];
const ALL = [...COMPARISONS, ...PATTERNS, ...SETS, ...SEARCHES];
const KEYWORDS = ['null', 'not_null', 'true', 'false', 'unknown', 'NULL'];
const ODD_VALUES = [
  '',
  "'",
  '"',
  '\\',
  '$1',
  "'; drop table x; --",
  '(',
  ')',
  '{',
  '*',
  '日本',
  '%',
];

/** Adds some clauses of a level to the query string. */
export function addClauses(draft: Draft, level: LevelName, { isRoot = false } = {}): void {
  const { dice, parameters } = draft;
  for (const [name, value] of dice.many({ most: 3, percent: 40 }, () => filter(draft, level))) {
    parameters.push([level.prefix + name, value]);
  }
  if (dice.chance(15)) {
    const negation = dice.chance(20) ? 'not.' : '';
    const word = dice.pick(['or', 'and']);
    parameters.push([`${level.prefix}${negation}${word}`, group(draft, level, 1)]);
  }
  if (dice.chance(30)) parameters.push([`${level.prefix}order`, order(draft, level)]);
  if (isRoot || dice.chance(30)) addWindow(draft, level.prefix);
}

function addWindow({ dice, parameters }: Draft, prefix: string): void {
  if (dice.chance(25)) parameters.push([`${prefix}limit`, String(dice.upTo(5))]);
  if (dice.chance(15)) parameters.push([`${prefix}offset`, String(dice.upTo(3))]);
}

/** The name and the value of a filter on a column, or on whether an embed has rows. */
export function filter(draft: Draft, { table, embeds }: LevelName): readonly [string, string] {
  const { dice } = draft;
  if (embeds.length > 0 && dice.chance(15)) {
    return [dice.pick(embeds), dice.pick(['is.null', 'not.is.null', 'is.not_null'])];
  }
  const { name, column } = pickField(draft, table);
  const path = writePath(draft, column);
  const { test, operand } = condition(draft, column, path);
  return [writeParameterName(dice, name) + path, test + operand];
}

interface Condition {
  /** `not.eq.` */
  readonly test: string;
  readonly operand: string;
}

function condition({ dice }: Draft, column: Column | undefined, path: string): Condition {
  const negation = dice.chance(15) ? 'not.' : '';
  const values = path === '' ? samplesOf(column?.type ?? '') : ['1', '"a"', 'a'];
  const value = () => {
    if (dice.chance(25)) return MARK + dice.pick(ODD_VALUES);
    return dice.chance(10) ? dice.pick(ODD_VALUES) : dice.pick(values);
  };
  switch (dice.upTo(5)) {
    case 0:
      return { test: `${negation}is.`, operand: dice.pick(KEYWORDS) };
    case 1:
      return {
        test: `${negation}in.`,
        operand: `(${dice.many({ most: 3 }, value).map(quoted).join(',')})`,
      };
    case 2: {
      const operator = dice.pick([...COMPARISONS.slice(0, 6), ...PATTERNS]);
      if (operator === 'neq') return { test: `${negation}neq.`, operand: value() };
      const operand = `{${dice.many({ most: 3 }, value).map(quoted).join(',')}}`;
      return { test: `${negation}${operator}(${dice.pick(['any', 'all'])}).`, operand };
    }
    case 3:
      return { test: `${negation}${dice.pick(usual(column))}.`, operand: value() };
    case 4:
      return { test: `${negation}${dice.pick(COMPARISONS)}.`, operand: value() };
    default:
      return { test: `${negation}${dice.pick(ALL)}.`, operand: value() };
  }
}

// Operators that the type of a column has.
function usual(column: Column | undefined): readonly string[] {
  switch (column?.valueKind) {
    case 'text':
      return [...PATTERNS, ...SEARCHES];
    case 'tsvector':
      return SEARCHES;
    case 'array':
      return ['cs', 'cd', 'ov'];
    case 'json':
    case 'jsonb':
      return ['cs', 'cd', ...SEARCHES];
    case 'composite':
    case 'geometry':
    case 'other':
    case undefined:
      return column?.type.endsWith('range') ? SETS : COMPARISONS;
  }
}

function group(draft: Draft, level: LevelName, depth: number): string {
  const { dice } = draft;
  const nodes = dice.many({ least: 1, most: 4, percent: 50 }, () => {
    if (depth < 4 && dice.chance(25)) {
      return `${dice.pick(['', 'not.'])}${dice.pick(['and', 'or'])}${group(draft, level, depth + 1)}`;
    }
    const [name, value] = filter(draft, level);
    return `${name}.${inTree(value)}`;
  });
  return `(${nodes.join(dice.pick([',', ', ']))})`;
}

// Inside a tree an operand stands in quotes, unless it is a list or a keyword.
function inTree(value: string): string {
  const match = /^((?:not\.)?(?!not\.|is\.|in\.)[a-z]+(?:\([^()]*\))?\.)(.*)$/s.exec(value);
  return match ? `${match[1]}${quoted(match[2] ?? '')}` : value;
}

function order(draft: Draft, { table }: LevelName): string {
  const { dice } = draft;
  const terms = dice.many({ least: 1, most: 3 }, () => {
    const { name, column } = pickField(draft, table);
    const direction = dice.pick(['', '.asc', '.desc']);
    const nulls = dice.pick(['', '', '.nullsfirst', '.nullslast']);
    return writeName(dice, name) + writePath(draft, column) + direction + nulls;
  });
  return terms.join(',');
}

/** An order by what a to-one embed leads to; undefined when there is none. */
export function relatedOrder(draft: Draft, ways: readonly EmbedWay[]): string | undefined {
  const { dice } = draft;
  const one = ways.filter(({ cardinality }) => cardinality === 'one');
  if (one.length === 0) return undefined;
  const { relation, to } = dice.pick(one);
  return `${relation}(${writeName(dice, pickField(draft, to).name)})${dice.pick(['', '.desc'])}`;
}
