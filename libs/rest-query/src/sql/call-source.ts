// A call of a function as a row source. Values of a query string are parameters of the statement. PostgreSQL reads
// those of a body with the types of the arguments, like the body of an insert.
import { quoteIdent } from '#libs/wire';

import type { CallPlan, PlannedArgument } from '../types/plan.js';
import type { Draft } from './draft.js';
import { recordType, routineName, typeName } from './quote.js';

export interface CallSource {
  /** Common tables that `from` needs: `a as materialized (…)`. */
  readonly tables: readonly string[];
  /** The text after FROM; its rows are called `t`. */
  readonly from: string;
}

/** `alias` is ` t`, or ` as t (v)` for a function that returns scalars. */
export function callSource(draft: Draft, plan: CallPlan, alias: string): CallSource {
  const keys = plan.arguments.filter(({ value }) => value.from === 'key');
  const call = (valueOfKey: (name: string) => string): string => {
    const list = plan.arguments.map((argument) => argumentSql(draft, argument, valueOfKey));
    return `${routineName(plan.routine)}(${list.join(', ')})${alias}`;
  };
  const columns = keys.map(({ argument }) => ({ ...argument, name: argument.name ?? '' }));
  if (columns.length === 0) return { tables: [], from: call(() => '') };
  const body = `pg_catalog.json_to_record(${draft.value({ from: 'body' })}::pg_catalog.json) as a (${recordType(columns)})`;
  if (plan.routine.volatility !== 'volatile') {
    // PostgreSQL inlines the query of such a function if the arguments are columns.
    const from = `${body} cross join lateral ${call((name) => `a.${quoteIdent(name)}`)}`;
    return { tables: [], from };
  }
  // A join could run a lateral call again for each row of another table; this form runs it once.
  const list = columns.map(({ name }) => `a.${quoteIdent(name)}`).join(', ');
  return {
    tables: [`a as materialized (select ${list} from ${body})`],
    from: call((name) => `(select a.${quoteIdent(name)} from a)`),
  };
}

function argumentSql(
  draft: Draft,
  { argument, value }: PlannedArgument,
  valueOfKey: (name: string) => string,
): string {
  const { name } = argument;
  const given = name === undefined ? '' : `${quoteIdent(name)} := `;
  switch (value.from) {
    case 'query':
      return `${given}${draft.value({ from: 'argument', value: value.text })}::${typeName(argument.type)}`;
    case 'key':
      return given + valueOfKey(name ?? '');
    case 'body':
      return `${given}${draft.value({ from: 'body' })}::${typeName(argument.type)}`;
  }
}
