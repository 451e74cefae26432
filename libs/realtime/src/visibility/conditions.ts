// The conditions of policies as texts: which depend on the caller, and what they are for a caller in a column.

import { combineConditions } from '#libs/realtime-core';

import type { PolicyFacts, TableFacts } from './facts.js';

/** Texts and quoted names, in which nothing is replaced; parentheses; and what may be replaced. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\( SELECT auth\.uid\(\) AS uid\)|(?<![\w.$"])auth\.uid\(\)| OR |[()]/g;
const SUBSELECT = '( SELECT auth.uid() AS uid)';

/**
 * Characters of a table's policies together that are analyzed. Policies with more are evaluated for each caller, and count
 * as reading everything: their analysis would hold the event loop.
 */
export const maxAnalyzedChars = 65_536;

export function areAnalyzed({ policies }: TableFacts): boolean {
  return policies.reduce((sum, { condition }) => sum + condition.length, 0) <= maxAnalyzedChars;
}

/** Terms of which one must be true, and conditions that must all be true. */
export interface SimpleRule {
  /** Terms that are the same for all callers. */
  readonly common: readonly string[];
  /** Terms in which the caller is the column that {@link simpleRule} was called with. */
  readonly personal: readonly string[];
  readonly required: readonly string[];
  readonly isRequiredPersonal: boolean;
}

/** The whole condition for the callers that the settings name. */
export function wholeCondition({ policies }: TableFacts): string {
  return combineConditions(policies);
}

/** The same with the id of the caller in a column; undefined if the policies depend on more than it. */
export function simpleRule(facts: TableFacts, column: string): SimpleRule | undefined {
  const { policies } = facts;
  if (!areAnalyzed(facts) || !policies.every(isSimple)) return undefined;
  const terms = policies
    .filter(({ isPermissive }) => isPermissive)
    .flatMap(({ condition }) => termsOf(condition));
  const required = policies
    .filter(({ isPermissive }) => !isPermissive)
    .map(({ condition }) => condition);
  return {
    common: terms.filter((term) => !isPersonal(term)),
    personal: terms.filter(isPersonal).map((term) => withColumn(term, column)),
    required: required.map((condition) => withColumn(condition, column)),
    isRequiredPersonal: required.some(isPersonal),
  };
}

/** Whether each sub-select in it only reads the id of the caller. */
function isSimple({ condition, isPlain, subselects }: PolicyFacts): boolean {
  const known = [...condition.matchAll(TOKEN)].filter(([token]) => token === SUBSELECT).length;
  return isPlain && subselects === known;
}

const isCaller = (token: string): boolean => token === SUBSELECT || token === 'auth.uid()';

function isPersonal(condition: string): boolean {
  return [...condition.matchAll(TOKEN)].some(([token]) => isCaller(token));
}

function withColumn(condition: string, column: string): string {
  return condition.replace(TOKEN, (token) => (isCaller(token) ? column : token));
}

/** More claims than a policy of an application reads. Finding them costs time for each caller. */
const mostClaims = 16;

/** What policies read of a caller. */
export interface CallerReads {
  /** The caller's id. */
  readonly subject: boolean;
  /** Members of the claims. */
  readonly claims: readonly string[];
}

const READ = String.raw`auth\.(?:uid|role|email)\(\)|\(auth\.jwt\(\) ->> '(?:[^']|'')*'::text\)`;
/** Texts and quoted names, and what reads the caller, as PostgreSQL writes it. */
const CALLER_TOKEN = new RegExp(
  String.raw`'(?:[^']|'')*'|"(?:[^"]|"")*"|\( SELECT (?:${READ})(?: AS (?:"(?:[^"]|"")*"|\w+))?\)|(?<![\w.$"])(?:${READ})`,
  'g',
);

/**
 * What the policies read of a caller, if it can be read from their texts; otherwise undefined: they may read everything.
 * Each call in the stored tree must be found in the text.
 */
export function callerReads(facts: TableFacts): CallerReads | undefined {
  if (!areAnalyzed(facts)) return undefined;
  const { policies } = facts;
  let subject = false;
  const claims = new Set<string>();
  for (const { condition, isTraceable, subselects, callerReads: calls } of policies) {
    const tokens = [...condition.matchAll(CALLER_TOKEN)].map(([token]) => token);
    const reads = tokens.filter((token) => token.startsWith('(') || token.startsWith('auth.'));
    const known = reads.filter((token) => token.startsWith('( SELECT ')).length;
    if (!isTraceable || reads.length !== calls || known !== subselects) return undefined;
    for (const read of reads) {
      const [, name] = /->> '((?:[^']|'')*)'/.exec(read) ?? [];
      if (name !== undefined) claims.add(name.replaceAll("''", "'"));
      else if (read.includes('auth.uid()')) subject = true;
      else claims.add(read.includes('auth.role()') ? 'role' : 'email');
    }
  }
  return claims.size > mostClaims ? undefined : { subject, claims: [...claims].sort() };
}

/** The terms of an OR at the top. PostgreSQL writes an OR in parentheses of its own. */
export function termsOf(condition: string): readonly string[] {
  const terms: string[] = [];
  let depth = 0;
  let start = 1;
  for (const { 0: token, index } of condition.matchAll(TOKEN)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === ' OR ' && depth === 1) {
      terms.push(condition.slice(start, index));
      start = index + token.length;
    }
    const isEnd = index + token.length >= condition.length;
    if (depth === 0 && !isEnd) return [condition];
  }
  const isWrapped = condition.startsWith('(') && condition.endsWith(')') && depth === 0;
  if (!isWrapped || terms.length === 0) return [condition];
  return [...terms, condition.slice(start, -1)];
}

/**
 * Texts, in which no column is named; names in quotes and without them. A name before a parenthesis is that of a function,
 * behind `::` that of a type, and behind `AS` a new one.
 */
const NAME = /'(?:[^']|'')*'|(::|\bAS )?(?:"((?:[^"]|"")*)"|([A-Za-z_][\w$]*))(\()?/g;

/**
 * The columns that a condition may read: those whose names are in its text, as PostgreSQL writes it. Other things may have
 * the names of columns, so these are some too many and never too few.
 */
export function columnsIn(condition: string, facts: TableFacts): readonly string[] {
  const names = facts.columns.map(({ name }) => name);
  if (!areAnalyzed(facts) || condition.includes(`${facts.alias}.*`)) return names;
  const found = new Set(
    [...condition.matchAll(NAME)].map(([, before, quoted, plain, parenthesis]) => {
      if (before !== undefined || parenthesis !== undefined) return undefined;
      return quoted === undefined ? plain : quoted.replaceAll('""', '"');
    }),
  );
  return names.filter((name) => found.has(name));
}
