import type { CallPlan } from '../types/plan.js';
import type { StatementTemplate } from '../types/statement.js';
import { type CallRows, levelRows, scalarRows } from './call-rows.js';
import { callSource } from './call-source.js';
import { Draft } from './draft.js';
import { explainStatement } from './explain.js';
import { answerPage, FEW_ROWS } from './window.js';
import { DRY_RUN_CHECK } from './write.js';

/** Status and headers that a function may set (PostgREST's convention): read after it has run. */
const RESPONSE_SETTINGS: StatementTemplate = {
  text: "select pg_catalog.current_setting('response.status', true), pg_catalog.current_setting('response.headers', true)",
  parameters: [],
  gives: 'settings',
};

/**
 * The statements of a call. The function runs exactly once, in the first of them: the total counts its result, so every
 * way of counting is exact.
 */
export function callStatements(plan: CallPlan): readonly StatementTemplate[] {
  const draft = new Draft();
  const { text, gives } = callText(draft, plan);
  const statement = { text, gives, parameters: draft.parameters };
  if (plan.explain) return [explainStatement(plan.explain, statement)];
  return plan.isDryRun
    ? [statement, RESPONSE_SETTINGS, DRY_RUN_CHECK]
    : [statement, RESPONSE_SETTINGS];
}

type CallText = Pick<StatementTemplate, 'text' | 'gives'>;

function callText(draft: Draft, plan: CallPlan): CallText {
  const { result } = plan;
  switch (result.kind) {
    case 'void': {
      const { tables, from } = callSource(draft, plan, ' t');
      return { text: `${withClause(tables)}select from ${from}`, gives: 'nothing' };
    }
    case 'scalar':
      return answerText(draft, plan, scalarRows(plan), result.isSet);
    case 'rows':
      return answerText(draft, plan, levelRows(plan, result), result.isSet);
  }
}

function answerText(draft: Draft, plan: CallPlan, rows: CallRows, isSet: boolean): CallText {
  const { tables, from } = callSource(draft, plan, rows.alias);
  const isCounted = isSet && plan.count !== 'none';
  const isShown = plan.readsRows && !plan.isMinimal;
  if (isCounted && !isShown) {
    const text = `${withClause(tables)}select pg_catalog.count(*)::pg_catalog.text from (${rows.bare(draft, from)}) c`;
    return { text, gives: 'text' };
  }
  const page = isSet ? answerPage(draft, plan.window) : FEW_ROWS;
  if (!isShown) {
    return { text: `${withClause(tables)}${rows.bare(draft, from)}${page.tail}`, gives: 'nothing' };
  }
  if (isCounted) {
    const { handed, total, shown } = rows.counted(draft, page);
    const given = `t as materialized (select ${handed} from ${from})`;
    const text = `${withClause([...tables, given])}${total} union all (${shown})`;
    return { text, gives: 'total-and-rows' };
  }
  const shown = rows.shown(draft, from, page);
  // A function that returns no set always has an answer: NULL if it returned none.
  const isValue = !isSet && (plan.style.kind === 'array' || plan.style.kind === 'object');
  const text = isValue ? `select coalesce((${shown}), 'null')` : shown;
  return { text: withClause(tables) + text, gives: 'rows' };
}

function withClause(tables: readonly string[]): string {
  return tables.length === 0 ? '' : `with ${tables.join(', ')} `;
}
