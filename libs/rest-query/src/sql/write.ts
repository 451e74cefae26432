import type { Column } from '#libs/catalog';
import type {
  ConflictRule,
  DeletePlan,
  InsertPlan,
  Representation,
  StatementTemplate,
  UpdatePlan,
  WriteColumn,
  WritePlan,
} from '../types.js';
import {
  columnOfTable,
  Parameters,
  quoteIdent,
  quoteLiteral,
  recordType,
  tableName,
} from './builder.js';
import { whereClause } from './filter.js';
import { rowsSql } from './rows.js';

/**
 * The statements of a write. The body is one parameter, whatever the number of its rows.
 * A dry run ends with the checks that PostgreSQL would do at commit.
 */
export function writeStatements(plan: WritePlan): readonly StatementTemplate[] {
  const statement = writeStatement(plan);
  return plan.checks.isDryRun
    ? [statement, { text: 'set constraints all immediate', parameters: [], gives: 'nothing' }]
    : [statement];
}

function writeStatement(plan: WritePlan): StatementTemplate {
  if (plan.kind === 'update' && plan.columns.length === 0) return emptyUpdate(plan);
  const parameters = new Parameters();
  const write = writeSql(plan, parameters);
  const { returning } = plan;
  switch (returning.kind) {
    case 'nothing':
      return { text: write, parameters: parameters.list, gives: 'nothing' };
    case 'rows': {
      const text = `with t as (${write}${returningClause(columnsOf(returning.rows))}) ${rowsSql(returning.rows, 't')}`;
      return { text, parameters: parameters.list, gives: 'rows' };
    }
    case 'key': {
      const key = returning.columns.map((column) => `${columnOfTable(column)}::text`).join(', ');
      const text = `with t as (${write}${returningClause(returning.columns)}) select json_build_array(${key})::text from t`;
      return { text, parameters: parameters.list, gives: 'text' };
    }
  }
}

function columnsOf({ outputs, order }: Representation): readonly Column[] {
  return [
    ...new Set([...outputs.map((output) => output.column), ...order.map((term) => term.field)]),
  ];
}

// A table without columns still has to give its rows back.
function returningClause(columns: readonly Column[]): string {
  const list = columns.map(columnOfTable).join(', ');
  return ` returning ${list === '' ? '1 as "1"' : list}`;
}

function writeSql(plan: WritePlan, parameters: Parameters): string {
  switch (plan.kind) {
    case 'insert':
      return insertSql(plan, parameters);
    case 'update':
      return updateSql(plan, parameters);
    case 'delete':
      return deleteSql(plan, parameters);
  }
}

function insertSql(plan: InsertPlan, parameters: Parameters): string {
  const names = plan.columns.map(({ column }) => quoteIdent(column.name)).join(', ');
  const into = `insert into ${tableName(plan.table)} as t${names === '' ? '' : ` (${names})`}`;
  const body = `${parameters.add({ from: 'body' })}::json`;
  return `${into} ${insertSource(plan, body)}${conflictClause(plan)}`;
}

// Without a column the select is empty too, and each element of the body is a row of defaults.
function insertSource(plan: InsertPlan, body: string): string {
  const columns = plan.columns.map(({ column }) => column);
  if (columns.length === 0) return `select from json_array_elements(${body})`;
  const record = recordType(columns);
  if (plan.columns.every(({ source }) => source === 'body')) {
    const values = columns.map((column) => `x.${quoteIdent(column.name)}`).join(', ');
    return `select ${values} from json_to_recordset(${body}) as x(${record})`;
  }
  const values = plan.columns.map((column) => valueOrDefault(plan, column)).join(', ');
  return `select ${values} from json_array_elements(${body}) as e(row) cross join lateral json_to_record(e.row) as x(${record})`;
}

// `->` gives NULL for a missing key and JSON null for a key that is null.
function valueOrDefault(plan: InsertPlan, { column, source }: WriteColumn): string {
  const value = `x.${quoteIdent(column.name)}`;
  if (source === 'body') return value;
  return `case when e.row -> ${quoteLiteral(column.name)} is null then ${defaultSql(plan, column)} else ${value} end`;
}

function defaultSql(plan: InsertPlan, column: Column): string {
  switch (column.default.kind) {
    case 'expression':
      return `(${column.default.sql})`;
    case 'identity': {
      const table = quoteLiteral(tableName(plan.table));
      return `nextval(pg_get_serial_sequence(${table}, ${quoteLiteral(column.name)}))`;
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

function updateSql(plan: UpdatePlan, parameters: Parameters): string {
  const table = tableName(plan.table);
  const set = plan.columns.map(({ column, source }) => {
    const name = quoteIdent(column.name);
    return `${name} = ${source === 'default' ? 'default' : `x.${name}`}`;
  });
  const read = plan.columns.filter(({ source }) => source !== 'default');
  const from = read.length === 0 ? '' : updateSource(read, parameters);
  return `update ${table} as t set ${set.join(', ')}${from}${whereClause(plan.where, parameters)}`;
}

// An update of no column reads no row, yet answers in the same form.
function emptyUpdate({ table, returning }: UpdatePlan): StatementTemplate {
  const source = `${tableName(table)} t where false`;
  return returning.kind === 'rows'
    ? { text: rowsSql(returning.rows, source), parameters: [], gives: 'rows' }
    : { text: `select from ${source}`, parameters: [], gives: 'nothing' };
}

function updateSource(columns: readonly WriteColumn[], parameters: Parameters): string {
  const record = recordType(columns.map(({ column }) => column));
  return ` from json_to_record(${parameters.add({ from: 'body' })}::json) as x(${record})`;
}

function deleteSql(plan: DeletePlan, parameters: Parameters): string {
  return `delete from ${tableName(plan.table)} as t${whereClause(plan.where, parameters)}`;
}
