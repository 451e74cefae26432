import type { ColumnPair, Relationship, Table } from '#libs/catalog';
import { quoteIdent } from '#libs/wire';
import type { Draft } from './draft.js';
import { routineName, tableName } from './quote.js';
import { columnSql, type Row, sourceRow, wholeRowSql } from './row.js';

/** The source of a level's rows. */
export interface Source {
  readonly row: Row;
  /** The text after FROM. */
  readonly from: string;
  /** The conditions that select the rows of the level, before any filter of the request. */
  readonly conditions: readonly string[];
}

/** All rows of a table, called `t` as in every statement. */
export function tableSource(table: Table): Source {
  return { row: sourceRow('t'), from: `${tableName(table)} t`, conditions: [] };
}

/** The rows to which a relationship leads from the row `parent`. */
export function relatedSource(draft: Draft, relationship: Relationship, parent: Row): Source {
  const number = draft.number();
  const alias = `t${number}`;
  const row = sourceRow(alias);
  const target = `${tableName(relationship.to)} ${alias}`;
  switch (relationship.kind) {
    case 'foreign-key':
      return { row, from: target, conditions: pairsSql(relationship.pairs, parent, alias) };
    case 'junction': {
      const { through, near, far } = relationship;
      const junction = `j${number}`;
      const on = pairsSql(far.pairs, sourceRow(junction), alias).join(' and ');
      return {
        row,
        from: `${target} join ${tableName(through)} ${junction} on ${on}`,
        conditions: pairsSql(near.pairs, parent, junction),
      };
    }
    case 'computed': {
      const whole = wholeRowSql(parent, relationship.from);
      return {
        row,
        from: `${routineName(relationship.routine)}(${whole}) ${alias}`,
        // If a function returns NULL for a row, FROM contains a row of NULLs.
        conditions: relationship.cardinality === 'one' ? [`not (${alias}.* is null)`] : [],
      };
    }
  }
}

function pairsSql(pairs: readonly ColumnPair[], from: Row, to: string): readonly string[] {
  return pairs.map((pair) => `${to}.${quoteIdent(pair.to)} = ${columnSql(from, pair.from)}`);
}
