// How the result of a function is read. It is called `t` in FROM, and so is the common table that holds it if it is
// counted as well as returned.
import type { CallPlan, CallResult } from '../types/plan.js';
import type { Draft } from './draft.js';
import { whereClause } from './filter.js';
import { givenLevelSql, levelSql } from './level.js';
import { namedSql } from './quote.js';
import { Handover, sourceRow } from './row.js';
import { rowsSql } from './rows.js';
import { FEW_ROWS, type Page } from './window.js';

export interface CallRows {
  readonly alias: string;
  /** As many empty rows as there are, for all pages together. */
  bare(draft: Draft, from: string): string;
  /** One page of them, one row of text each. */
  shown(draft: Draft, from: string, page: Page): string;
  counted(draft: Draft, page: Page): CountedRows;
}

export interface CountedRows {
  /** The select list that makes the common table. */
  readonly handed: string;
  /** The total number of rows, as one row of text. */
  readonly total: string;
  readonly shown: string;
}

/** Rows of a table or of named columns: filtered, ordered and embedded like those of a table. */
export function levelRows(
  { style }: CallPlan,
  { rows: { level }, isSet }: Extract<CallResult, { kind: 'rows' }>,
): CallRows {
  const writing = { style, outputs: level.outputs };
  const unordered = { ...level, order: [] };
  const row = sourceRow('t');
  // If a function returns NULL for a row, FROM contains a row of NULLs.
  const conditions = isSet ? [] : ['not (t.* is null)'];
  return {
    alias: ' t',
    bare: (draft, from) =>
      level.isGrouped
        ? levelSql(draft, unordered, { row, from, conditions, page: FEW_ROWS })
        : `select from ${from}${whereClause(draft, level.where, { row, conditions })}`,
    shown: (draft, from, page) =>
      rowsSql(writing, levelSql(draft, level, { row, from, conditions, page })),
    counted(draft, page) {
      const handover = new Handover('t');
      const counted = level.isGrouped
        ? `(${givenLevelSql(draft, unordered, { handover, page: FEW_ROWS })}) t`
        : `t${whereClause(draft, level.where, { row: handover, conditions })}`;
      const shown = rowsSql(writing, givenLevelSql(draft, level, { handover, page }));
      return {
        handed: handover.list,
        total: `select pg_catalog.count(*)::pg_catalog.text from ${counted}`,
        shown,
      };
    },
  };
}

/** Values, each as JSON. In CSV they are a column with the name of the function. */
export function scalarRows({ style, routine: { name }, result }: CallPlan): CallRows {
  const isJson = result.kind === 'scalar' && result.value.valueKind === 'json';
  const json = isJson ? 't.v' : 'pg_catalog.to_json(t.v)';
  const stripped =
    'stripNulls' in style && style.stripNulls ? `pg_catalog.json_strip_nulls(${json})` : json;
  const shown = (from: string, { tail }: Page): string =>
    style.kind === 'csv'
      ? rowsSql(
          { style, outputs: [{ name }] },
          `select ${namedSql('t.v', name, 't')} from ${from}${tail}`,
        )
      : `select coalesce(${stripped}::pg_catalog.text, 'null') from ${from}${tail}`;
  return {
    alias: ' as t (v)',
    bare: (_draft, from) => `select from ${from}`,
    shown: (_draft, from, page) => shown(from, page),
    counted: (_draft, page) => ({
      handed: 't.v',
      total: 'select pg_catalog.count(*)::pg_catalog.text from t',
      shown: shown('t', page),
    }),
  };
}
