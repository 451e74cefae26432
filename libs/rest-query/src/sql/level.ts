// Rows of one level with their embeds, as one select. With embeds it has two steps, so that order, offset and limit
// apply first:
//
//   select t.c1 as "id", (select row_to_json(e1.*) from (
//     select t2."name" from "public"."authors" t2 where t2."id" = t.c2) e1) as "author"
//   from (select t."id" as c1, t."author_id" as c2 from "public"."posts" t where … limit 20) t
//
// An embed is a subquery for each row, which is fastest for a few rows. Spreads, and to-one embeds of a long page, are
// joined instead: then PostgreSQL can read the other table once.
//
//   from (…) t left join lateral (select t2."name" from "public"."authors" t2 where …) e1 on true
import { quoteIdent } from '#libs/wire';

import type { EmbedPlan, Level } from '../types/plan.js';
import type { Draft } from './draft.js';
import { whereClause } from './filter.js';
import { orderClause, orderTerms } from './order.js';
import { outputsSql } from './outputs.js';
import { Handover, type Row, sourceRow } from './row.js';
import { relatedSource, type Source } from './source.js';
import { embedPage, type Page } from './window.js';

/** The rows of a level, before its own filter. */
export interface LevelRows extends Source {
  readonly page: Page;
}

/** The select of a level. */
export function levelSql(draft: Draft, level: Level, rows: LevelRows): string {
  const { row, from, page } = rows;
  const where = whereClause(draft, level.where, rows);
  const terms = orderTerms(draft, level, row);
  if (shownEmbeds(level).length === 0) {
    const { list, groups } = outputsSql(level, row, new Map());
    return `select ${list} from ${from}${where}${groups}${orderClause(terms)}${page.tail}`;
  }
  const handover = new Handover(row.alias);
  const { list, groups, joins, isReordered } = secondStep(draft, level, { row: handover, page });
  const see = (sql: string): string => handover.see(sql);
  if (level.isGrouped) {
    const end = `${joins}${groups}${orderClause(terms, see)}${page.tail}`;
    return `select ${list} from (select ${handover.list} from ${from}${where}) ${row.alias}${end}`;
  }
  const again = isReordered ? orderClause(terms, see) : '';
  const first = `select ${handover.list} from ${from}${where}${orderClause(terms)}${page.tail}`;
  return `select ${list} from (${first}) ${row.alias}${joins}${again}`;
}

/**
 * The second step of a level whose first step is a common table named `handover.alias`: a write, or the result of a
 * function that is counted, too. The first step returns the columns that this one needs; this one filters, orders and
 * cuts.
 */
export function givenLevelSql(
  draft: Draft,
  level: Level,
  { handover, page }: { readonly handover: Handover; readonly page: Page },
): string {
  const { alias } = handover;
  const { list, groups, joins, isReordered } = secondStep(draft, level, { row: handover, page });
  const where = whereClause(draft, level.where, { row: handover, conditions: [] });
  const terms = orderTerms(draft, level, sourceRow(alias));
  const order = orderClause(terms, (sql) => handover.see(sql));
  if (page.tail === '' || level.isGrouped || shownEmbeds(level).length === 0) {
    return `select ${list} from ${alias}${joins}${where}${groups}${order}${page.tail}`;
  }
  const cut = `(select ${alias}.* from ${alias}${where}${order}${page.tail}) ${alias}`;
  return `select ${list} from ${cut}${joins}${isReordered ? order : ''}`;
}

interface SecondStep {
  readonly list: string;
  readonly groups: string;
  readonly joins: string;
  /** Whether a join may change the order of the rows: PostgreSQL may join to-one embeds by hash. */
  readonly isReordered: boolean;
}

function secondStep(
  draft: Draft,
  level: Level,
  { row, page }: { readonly row: Row; readonly page: Page },
): SecondStep {
  const references = new Map<EmbedPlan, string>();
  let joins = '';
  let isReordered = false;
  for (const embed of shownEmbeds(level)) {
    const alias = `e${draft.number()}`;
    const sql = embedSql(draft, embed, { row, page });
    if (isJoined(embed, level, page)) {
      references.set(embed, joinedReference(embed, alias));
      joins += ` left join lateral (${sql}) ${alias} on true`;
      isReordered ||= embed.relationship.cardinality === 'one';
    } else {
      references.set(embed, subqueryReference(embed, sql, alias));
    }
  }
  return { ...outputsSql(level, row, references), joins, isReordered };
}

function shownEmbeds({ outputs }: Level): readonly EmbedPlan[] {
  const embeds = outputs.flatMap((output) =>
    output.kind === 'embed' || output.kind === 'spread' ? [output.embed] : [],
  );
  return [...new Set(embeds)];
}

// Rows are grouped by the values of joined embeds, not by subqueries.
function isJoined({ form }: EmbedPlan, level: Level, page: Page): boolean {
  if (form === 'columns' || form === 'column-arrays' || level.isGrouped) return true;
  return form === 'object' && !page.isShort;
}

/** Rows of a to-one embed, or the single row of arrays of a to-many embed. */
function embedSql(
  draft: Draft,
  embed: EmbedPlan,
  parent: { readonly row: Row; readonly page: Page },
): string {
  const source = relatedSource(draft, embed.relationship, parent.row);
  const rows = levelSql(draft, embed.level, { ...source, page: embedPage(embed, parent.page) });
  if (embed.form === 'object' || embed.form === 'columns') return rows;
  const alias = `r${draft.number()}`;
  return `select ${arraysSql(embed, alias)} from (${rows}) ${alias}`;
}

function arraysSql({ form, level }: EmbedPlan, alias: string): string {
  if (form === 'array') return `pg_catalog.json_agg(pg_catalog.row_to_json(${alias}.*)) as v`;
  return level.outputs
    .map(({ name }) => `pg_catalog.json_agg(${alias}.${quoteIdent(name)}) as ${quoteIdent(name)}`)
    .join(', ');
}

function joinedReference({ form }: EmbedPlan, alias: string): string {
  if (form === 'object') return `pg_catalog.row_to_json(${alias}.*)`;
  return form === 'array' ? `coalesce(${alias}.v, '[]')` : alias;
}

function subqueryReference({ form }: EmbedPlan, sql: string, alias: string): string {
  return form === 'array'
    ? `coalesce((${sql}), '[]')`
    : `(select pg_catalog.row_to_json(${alias}.*) from (${sql}) ${alias})`;
}
