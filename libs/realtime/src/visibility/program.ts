// Builds the block that evaluates the policies of a table for many callers.

import {
  type BlockBody,
  blockText,
  EQUALS,
  evaluate,
  fromNumberedRows,
  fromRows,
  keep,
  Names,
} from './block.js';
import { columnsIn, type SimpleRule, simpleRule, wholeCondition } from './conditions.js';
import type { TableFacts } from './facts.js';
import { quoteText } from './filter.js';

/** How the answers for the callers are found. */
export type Method =
  /** The answer is the same for all of them. */
  | 'once'
  /** All of them are joined with the rows by their ids. */
  | 'joined'
  /** Each has an evaluation of its own. */
  | 'loop';

export interface Program {
  readonly method: Method;
  readonly text: string;
}

export function methodFor(facts: TableFacts): Method {
  if (!facts.isSecured || !facts.isSelectable) return 'once';
  const rule = simpleRule(facts, 'x');
  if (!rule) return 'loop';
  if (rule.common.length + rule.personal.length === 0) return 'once';
  return rule.personal.length === 0 && !rule.isRequiredPersonal ? 'once' : 'joined';
}

/** The block; `method` may be less simple than the facts allow. */
export function buildProgram(facts: TableFacts, method = methodFor(facts)): Program {
  const names = new Names(facts);
  const body: BlockBody = {
    steps: [describeRows(facts, names), ...evaluatePolicies(facts, names, method)],
    output: ['known', 'cut', 'broken', 'all', 'pairs', 'errors'],
  };
  return { method, text: blockText(facts, names, body) };
}

/** Whether rows have the columns that conditions read, and their JSON where it has members that the role may not read. */
function describeRows(facts: TableFacts, names: Names): string {
  const v = (name: string): string => names.of(name);
  const needed =
    facts.isSecured && facts.isSelectable ? columnsIn(wholeCondition(facts), facts) : [];
  const readable = facts.columns.filter(({ isReadable }) => isReadable).map(({ name }) => name);
  const list = (values: readonly string[]): string =>
    `array[${values.map(quoteText).join(', ')}]::pg_catalog.text[]`;
  return `  select
    pg_catalog.string_agg(case when (
      select pg_catalog.count(*) from pg_catalog.json_object_keys(e.v) k (k) where k.k ${EQUALS} any (${list(needed)})
    ) ${EQUALS} ${needed.length} then '1' else '0' end, '' order by e.n),
    pg_catalog.json_agg(case when exists (
      select from pg_catalog.json_object_keys(e.v) k (k) where k.k operator(pg_catalog.<>) all (${list(readable)})
    ) then (
      select pg_catalog.concat('{', pg_catalog.string_agg(
        pg_catalog.concat(pg_catalog.to_json(m.key), ':', m.value), ','
      ), '}')
      from pg_catalog.json_each(e.v) m where m.key ${EQUALS} any (${list(readable)})
    ) end order by e.n)
  into ${v('known')}, ${v('cut')}
  from pg_catalog.json_array_elements(${v('given')}) with ordinality e (v, n);`;
}

function bitsOf(facts: TableFacts, names: Names, condition: string): string {
  return `select pg_catalog.string_agg(case when (${condition}) then '1' else '0' end, '')
      into ${names.of('bits')} from ${fromRows(facts, names)};`;
}

function evaluatePolicies(facts: TableFacts, names: Names, method: Method): readonly string[] {
  const v = (name: string): string => names.of(name);
  const condition = conditionOf(facts);
  switch (method) {
    case 'once':
      return [evaluate(names, bitsOf(facts, names, condition), `0`), keep(names)];
    case 'loop':
      // With the array as a constant PostgreSQL would plan the query again for each caller. Assignments are evaluated
      // without a query of their own.
      return [
        `  perform pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true);
  for ${v('i')} in 1 .. pg_catalog.cardinality(${v('subjects')}) loop`,
        evaluate(
          names,
          `${v('set')} := pg_catalog.set_config('request.jwt.claims', ${v('claims')}[${v('i')}], true);
      ${v('set')} := pg_catalog.set_config('request.jwt.claim.sub', ${v('subjects')}[${v('i')}], true);
      ${bitsOf(facts, names, condition)}`,
          `${v('i')} operator(pg_catalog.-) 1`,
        ),
        keep(names),
        '  end loop;',
      ];
    case 'joined':
      return evaluateJoined(facts, names);
  }
}

function conditionOf(facts: TableFacts): string {
  if (!facts.isSelectable) return 'false';
  return facts.isSecured ? wholeCondition(facts) : 'true';
}

/** The rows that all see, and pairs of a row and a caller: a join for each term, so that each can be a hash join. */
function evaluateJoined(facts: TableFacts, names: Names): readonly string[] {
  const v = (name: string): string => names.of(name);
  const rule = simpleRule(facts, `${v('c')}.${v('uid')}`);
  if (!rule) throw new Error('The policies are not simple');
  const { common, arms } = partsOf(rule);
  const id = facts.hasUuids ? 'auth.try_uuid(s.s)' : 's.s';
  const pairs = arms.map(
    (arm) => `select ${facts.alias}.${v('n')} as r, ${v('c')}.${v('place')} as c
        from ${fromNumberedRows(facts, names)}
        cross join (
          select ${id} as ${v('uid')}, s.n as ${v('place')}
          from pg_catalog.unnest(${v('subjects')}) with ordinality s (s, n)
          offset 0
        ) ${v('c')}
        where ${arm}`,
  );
  return [
    evaluate(
      names,
      `perform pg_catalog.set_config('enable_nestloop', 'off', true), pg_catalog.set_config('enable_mergejoin', 'off', true);
      select pg_catalog.string_agg(pg_catalog.concat(p.r, ' ', p.c), ',') into ${v('pairs')}
      from (${pairs.join(' union ')}) p;
      ${bitsOf(facts, names, common)}`,
      `-1`,
    ),
    keep(names),
  ];
}

function partsOf({ common, personal, required, isRequiredPersonal }: SimpleRule) {
  const all = required.map((condition) => ` and (${condition})`).join('');
  const terms = isRequiredPersonal ? [...common, ...personal] : personal;
  return {
    common: isRequiredPersonal ? 'false' : `(${wrapped(common)})${all}`,
    arms: terms.map((term) => `(${term})${all}`),
  };
}

function wrapped(terms: readonly string[]): string {
  return terms.length === 0 ? 'false' : terms.map((term) => `(${term})`).join(' or ');
}
