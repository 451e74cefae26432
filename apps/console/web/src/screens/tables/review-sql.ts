// Staged changes as SQL to read: what Save does, in its order. The API sends values apart from the statements.
import { nameList, qualified, quoteName, quoteText } from '../../sql/quote.js';
import { type Change, ordered, type RowTexts, type Staged } from './staging.js';

interface NamedTable {
  readonly schema: string;
  readonly name: string;
}

/** The statements of all changes in one transaction. */
export function reviewSql(table: NamedTable, staged: Staged): string {
  const statements = ordered(staged).map(([, change]) => statementOf(table, change));
  return ['begin;', ...statements, 'commit;'].join('\n');
}

function statementOf({ schema, name }: NamedTable, change: Change): string {
  const table = qualified({ schema, name });
  switch (change.kind) {
    case 'insert': {
      const columns = Object.keys(change.values);
      if (columns.length === 0) return `insert into ${table} default values;`;
      const values = columns.map((column) => literal(change.values[column] ?? null));
      return `insert into ${table} (${nameList(columns)})\n  values (${values.join(', ')});`;
    }
    case 'update': {
      const set = Object.entries(change.values).map(
        ([column, value]) => `${quoteName(column)} = ${literal(value)}`,
      );
      return `update ${table}\n  set ${set.join(',\n    ')}\n  where ${whereKey(change.key)};`;
    }
    case 'delete':
      return `delete from ${table}\n  where ${whereKey(change.key)};`;
  }
}

function whereKey(key: RowTexts): string {
  return Object.entries(key)
    .map(([column, value]) => `${quoteName(column)} = ${literal(value)}`)
    .join(' and ');
}

function literal(value: string | null): string {
  return value === null ? 'null' : quoteText(value);
}
