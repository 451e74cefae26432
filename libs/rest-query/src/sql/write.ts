import type { DeletePlan, Returning, UpdatePlan, WritePlan } from '../types/plan.js';
import type { StatementTemplate } from '../types/statement.js';
import { keepRows, keptRow } from './batch-result.js';
import { Draft } from './draft.js';
import { explainStatement } from './explain.js';
import { whereClause } from './filter.js';
import { insertSql } from './insert.js';
import { givenLevelSql, levelSql } from './level.js';
import { tableName } from './quote.js';
import { columnSql, Handover } from './row.js';
import { rowsSql } from './rows.js';
import { tableSource } from './source.js';
import { updateSql } from './update.js';
import { FEW_ROWS } from './window.js';

/** A dry run ends with the checks that PostgreSQL makes at commit. */
export const DRY_RUN_CHECK: StatementTemplate = {
  text: 'set constraints all immediate',
  parameters: [],
  gives: 'nothing',
};

/** The statements of a write. The body is one parameter, whatever the number of its rows. */
export function writeStatements(plan: WritePlan): readonly StatementTemplate[] {
  const statement = writeStatement(plan);
  if (plan.explain) return [explainStatement(plan.explain, statement)];
  return plan.checks.isDryRun ? [statement, DRY_RUN_CHECK] : [statement];
}

function writeStatement(plan: WritePlan): StatementTemplate {
  if (plan.kind === 'update' && plan.columns.length === 0) return emptyUpdate(plan);
  const draft = new Draft();
  const write = writeSql(draft, plan);
  const answer = answerSql(draft, plan.returning);
  if (!answer && plan.keepsAs === undefined) {
    return { text: write, parameters: draft.parameters, gives: 'nothing' };
  }
  const isKept = plan.keepsAs !== undefined;
  const list = [...(answer?.handed ?? []), ...(isKept ? [keptRow(plan.table)] : [])].join(', ');
  const kept = plan.keepsAs === undefined ? '' : `, k as materialized (${keepRows(plan.keepsAs)})`;
  // The cross join makes PostgreSQL keep the rows, and k is one row.
  const main = (answer?.rows ?? 'select from t') + (isKept ? ' cross join k' : '');
  return {
    // A table without columns still has to return its rows.
    text: `with t as (${write} returning ${list === '' ? '1 as "1"' : list})${kept} ${main}`,
    parameters: draft.parameters,
    gives: answer?.gives ?? 'nothing',
  };
}

interface Answer {
  /** The RETURNING list for `rows`, which calls it `t`. */
  readonly handed: readonly string[];
  readonly rows: string;
  readonly gives: 'rows' | 'text';
}

function answerSql(draft: Draft, returning: Returning): Answer | undefined {
  if (returning.kind === 'nothing') return undefined;
  const handover = new Handover('t');
  if (returning.kind === 'key') {
    const key = returning.columns.map(
      ({ name }) => `${columnSql(handover, name)}::pg_catalog.text`,
    );
    const rows = `select pg_catalog.json_build_array(${key.join(', ')})::pg_catalog.text from t`;
    return { handed: [handover.list], rows, gives: 'text' };
  }
  const { level, style } = returning.rows;
  const rows = rowsSql(
    { style, outputs: level.outputs },
    givenLevelSql(draft, level, { handover, page: FEW_ROWS }),
  );
  return { handed: handover.list === '' ? [] : [handover.list], rows, gives: 'rows' };
}

function writeSql(draft: Draft, plan: WritePlan): string {
  switch (plan.kind) {
    case 'insert':
      return insertSql(draft, plan);
    case 'update':
      return updateSql(draft, plan);
    case 'delete':
      return deleteSql(draft, plan);
  }
}

function deleteSql(draft: Draft, { table, where }: DeletePlan): string {
  return `delete from ${tableName(table)} as t${whereClause(draft, where, tableSource(table))}`;
}

// An update of no column reads no row, but answers in the same form.
function emptyUpdate({ table, returning }: UpdatePlan): StatementTemplate {
  const draft = new Draft();
  const source = { ...tableSource(table), conditions: ['false'], page: FEW_ROWS };
  if (returning.kind !== 'rows') {
    return { text: `select from ${source.from} where false`, parameters: [], gives: 'nothing' };
  }
  const { level, style } = returning.rows;
  const text = rowsSql({ style, outputs: level.outputs }, levelSql(draft, level, source));
  return { text, parameters: draft.parameters, gives: 'rows' };
}
