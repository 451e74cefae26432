import type { Column } from '#libs/catalog';
import { quoteIdent } from '#libs/wire';
import type { ConflictRule, InsertPlan, WriteColumn } from '../types/plan.js';
import { referencedBody } from './batch-result.js';
import type { Draft } from './draft.js';
import { builtInOperator, quoteLiteral, recordType, tableName } from './quote.js';

/** `insert into … on conflict …` of the rows of the body, which is an array. */
export function insertSql(draft: Draft, plan: InsertPlan): string {
  const names = plan.columns.map(({ column }) => quoteIdent(column.name)).join(', ');
  const into = `insert into ${tableName(plan.table)} as t${names === '' ? '' : ` (${names})`}`;
  const body = referencedBody(draft.value({ from: 'body' }), plan.references, 'array');
  return `${into} ${insertSource(plan, body)}${conflictClause(plan)}`;
}

// Without a column the select is empty too, and each element of the body is a row of defaults.
function insertSource(plan: InsertPlan, body: string): string {
  const columns = plan.columns.map(({ column }) => column);
  if (columns.length === 0) return `select from pg_catalog.json_array_elements(${body})`;
  const record = recordType(columns);
  if (plan.columns.every(({ source }) => source === 'body')) {
    const values = columns.map((column) => `x.${quoteIdent(column.name)}`).join(', ');
    return `select ${values} from pg_catalog.json_to_recordset(${body}) as x (${record})`;
  }
  const values = plan.columns.map((column) => valueOrDefault(plan, column)).join(', ');
  return (
    `select ${values} from pg_catalog.json_array_elements(${body}) as e (row) ` +
    `cross join lateral pg_catalog.json_to_record(e.row) as x (${record})`
  );
}

// `->` returns NULL for a missing key and JSON null for a key that is null.
function valueOrDefault(plan: InsertPlan, { column, source }: WriteColumn): string {
  const value = `x.${quoteIdent(column.name)}`;
  if (source === 'body') return value;
  const given = `e.row ${builtInOperator('->')} ${quoteLiteral(column.name)}`;
  return `case when ${given} is null then ${defaultSql(plan, column)} else ${value} end`;
}

function defaultSql(plan: InsertPlan, column: Column): string {
  switch (column.default.kind) {
    case 'expression':
      return `(${column.default.sql})`;
    case 'identity': {
      const table = quoteLiteral(tableName(plan.table));
      return `pg_catalog.nextval(pg_catalog.pg_get_serial_sequence(${table}, ${quoteLiteral(column.name)}))`;
    }
    case 'none':
    case 'generated':
      return 'null';
  }
}

function conflictClause({ columns, conflict }: InsertPlan): string {
  if (conflict.kind === 'refuse') return '';
  const target = conflictTarget(conflict);
  if (conflict.kind === 'ignore' || columns.length === 0) return ` on conflict${target} do nothing`;
  const key = new Set(conflict.target);
  const others = columns.map(({ column }) => column).filter((column) => !key.has(column));
  // With nothing else to set, setting the key to itself still counts and returns the row.
  const changed = others.length > 0 ? others : conflict.target;
  const set = changed
    .map(({ name }) => `${quoteIdent(name)} = excluded.${quoteIdent(name)}`)
    .join(', ');
  return ` on conflict${target} do update set ${set}`;
}

function conflictTarget({ target }: Exclude<ConflictRule, { kind: 'refuse' }>): string {
  return target.length === 0 ? '' : ` (${target.map(({ name }) => quoteIdent(name)).join(', ')})`;
}
