import { quoteIdent } from '#libs/wire';

import type { UpdatePlan, WriteColumn } from '../types/plan.js';
import { referencedBody } from './batch-result.js';
import type { Draft } from './draft.js';
import { whereClause } from './filter.js';
import { recordType, tableName } from './quote.js';
import { tableSource } from './source.js';

/** `update … set …` from the body, which is one object. */
export function updateSql(draft: Draft, plan: UpdatePlan): string {
  const set = plan.columns.map(({ column, source }) => {
    const name = quoteIdent(column.name);
    return `${name} = ${source === 'default' ? 'default' : `x.${name}`}`;
  });
  const from = bodySource(draft, plan);
  const where = whereClause(draft, plan.where, tableSource(plan.table));
  return `update ${tableName(plan.table)} as t set ${set.join(', ')}${from}${where}`;
}

function bodySource(draft: Draft, { columns, references }: UpdatePlan): string {
  const read = columns.filter((column: WriteColumn) => column.source !== 'default');
  if (read.length === 0) return '';
  const record = recordType(read.map(({ column }) => column));
  const body = referencedBody(draft.value({ from: 'body' }), references, 'object');
  return ` from pg_catalog.json_to_record(${body}) as x (${record})`;
}
