// Batches of random writes, with references from later ones to the results of earlier ones.
import type { Catalog, Column, Table } from '#libs/catalog';
import type { BatchText } from '#libs/rest-query';
import type { Dice } from './dice.js';
import { write, type Written } from './random-requests.js';
import { type Draft, emptyDraft, type Permitted, queryString } from './request-text.js';

/** A batch, and what of it may stand in the text of its statements. */
export interface RandomBatch extends Permitted {
  readonly text: BatchText;
}

/** What batches as a whole prefer. */
const PREFERENCES = ['missing=default', 'tx=rollback', 'max-affected=9', 'return=minimal'];

/** A batch of one to five writes on the tables of a catalog. */
export function randomBatch(dice: Dice, catalog: Catalog): RandomBatch {
  const draft = emptyDraft(dice, catalog);
  const tables: Table[] = [];
  const operations = dice.many({ least: 1, most: 5, percent: 60 }, (index) => {
    const table = dice.pick([...catalog.tableByName.values()]);
    // The query of an operation is its own; what may show up in statements is that of all.
    const own: Draft = { ...draft, parameters: [] };
    const written = write(own, table);
    const operation = {
      method: written.method,
      model: table.name,
      query: queryString(own),
      ...(dice.chance(30) && { as: `step ${index}` }),
      ...bodyOf(own, { ...written, table }, tables),
      ...(written.method !== 'POST' && dice.chance(40) && { match: matchOf(own, table, tables) }),
    };
    tables.push(table);
    return operation;
  });
  const prefer = dice.many({ most: 2, percent: 30 }, () => dice.pick(PREFERENCES)).join(', ');
  const headers = { prefer: prefer === '' ? undefined : prefer };
  return { ...draft, text: { headers, body: Buffer.from(JSON.stringify({ operations })) } };
}

function bodyOf(
  draft: Draft,
  { method, body, table }: Written & { readonly table: Table },
  earlier: readonly Table[],
): object {
  if (method === 'DELETE') return {};
  const value: unknown = JSON.parse(body?.toString() ?? '{}');
  return { body: Array.isArray(value) ? value.map(refer) : refer(value) };

  /** The row with some of its values taken from earlier results. */
  function refer(row: unknown): unknown {
    const entries = Object.entries(row ?? {}).map(([column, given]: [string, unknown]) => [
      column,
      earlier.length > 0 && draft.dice.chance(30)
        ? reference(draft, earlier, table.columnByName.get(column))
        : given,
    ]);
    return Object.fromEntries(entries);
  }
}

function matchOf(draft: Draft, { columns }: Table, earlier: readonly Table[]): object {
  const { dice } = draft;
  const column = dice.pick(columns);
  return {
    [column.name]:
      earlier.length > 0 ? reference(draft, earlier, column) : dice.pick([null, 1, 'a', true]),
  };
}

/** The value of a column in an earlier result, mostly of one that has the same type as `like`. */
function reference(
  { dice, literals }: Draft,
  earlier: readonly Table[],
  like: Column | undefined,
): object {
  const operation = dice.upTo(earlier.length - 1);
  const columns = earlier[operation]?.columns ?? [];
  const alike = columns.filter(({ type }) => type === like?.type);
  const column = dice.pick(alike.length > 0 && dice.chance(80) ? alike : columns).name;
  literals.add(column);
  const escaped = column.replaceAll('~', '~0').replaceAll('/', '~1');
  return { $ref: `/${operation}/${dice.chance(10) ? 1 : 0}/${escaped}` };
}
