// The ways along foreign keys from a table. They are computed when the table is first used in an embed, and kept with
// the catalog.
import type { Catalog, ForeignKey, Table } from './catalog.js';
import { isExposed } from './exposure.js';
import type { ColumnPair, Relationship } from './relationship.js';

type KeyRelationship = Extract<Relationship, { readonly kind: 'foreign-key' | 'junction' }>;

/** A way along foreign keys, with the names by which a request may refer to it. */
export interface Way {
  readonly relationship: KeyRelationship;
  readonly cardinality: 'many-to-one' | 'one-to-one' | 'one-to-many' | 'many-to-many';
  /** The relation names that select it; several ways may share a name. */
  readonly names: readonly string[];
  /** The hints that select it. */
  readonly hints: readonly string[];
}

export interface Referrer {
  readonly table: Table;
  readonly key: ForeignKey;
}

interface KnownWays {
  readonly referrersByTarget: ReadonlyMap<string, readonly Referrer[]>;
  readonly byTable: Map<Table, readonly Way[]>;
}

const waysByCatalog = new WeakMap<Catalog, KnownWays>();

/** All ways from `from` to exposed tables. Rows that belong to no table have none. */
export function waysFrom(catalog: Catalog, from: Table): readonly Way[] {
  if (catalog.tableByName.get(from.name) !== from) return [];
  let known = waysByCatalog.get(catalog);
  if (!known) {
    known = { referrersByTarget: listReferrers(catalog), byTable: new Map() };
    waysByCatalog.set(catalog, known);
  }
  let ways = known.byTable.get(from);
  if (!ways) {
    const referrers = known.referrersByTarget.get(from.name) ?? [];
    ways = [
      ...waysAlong(catalog, from),
      ...waysBack(from, referrers),
      ...waysThrough(catalog, from, referrers),
    ];
    known.byTable.set(from, ways);
  }
  return ways;
}

function listReferrers(catalog: Catalog): ReadonlyMap<string, readonly Referrer[]> {
  const referrers = new Map<string, Referrer[]>();
  for (const table of catalog.tableByName.values()) {
    if (!isExposed(table.name)) continue;
    for (const key of table.foreignKeys) {
      if (key.target.schema !== 'public') continue;
      const known = referrers.get(key.target.table);
      if (known) known.push({ table, key });
      else referrers.set(key.target.table, [{ table, key }]);
    }
  }
  return referrers;
}

function targetOf(catalog: Catalog, { target }: ForeignKey): Table | undefined {
  return target.schema === 'public' ? findTarget(catalog, target.table) : undefined;
}

function pairsAlong({ columns, target }: ForeignKey): readonly ColumnPair[] {
  return columns.map((from, i) => ({ from, to: target.columns[i] ?? '' }));
}

function pairsBack({ columns, target }: ForeignKey): readonly ColumnPair[] {
  return columns.map((to, i) => ({ from: target.columns[i] ?? '', to }));
}

function hintsOf({ name, columns, target }: ForeignKey): readonly string[] {
  return [name, ...columns, ...target.columns];
}

// If a table refers to itself, its own name selects the way back, to the referring rows; the constraint or the column
// selects the way along the key. So the two ways of one key share no name.
function waysAlong(catalog: Catalog, from: Table): readonly Way[] {
  return from.foreignKeys.flatMap((key): readonly Way[] => {
    const to = targetOf(catalog, key);
    if (!to) return [];
    const column = key.columns.length === 1 ? key.columns : [];
    return [
      {
        relationship: {
          kind: 'foreign-key',
          cardinality: 'one',
          constraint: key.name,
          from,
          to,
          pairs: pairsAlong(key),
        },
        cardinality: key.isOneToOne ? 'one-to-one' : 'many-to-one',
        names: [...(to === from ? [] : [to.name]), key.name, ...column],
        hints: hintsOf(key),
      },
    ];
  });
}

function waysBack(from: Table, referrers: readonly Referrer[]): readonly Way[] {
  return referrers.map(({ table, key }) => ({
    relationship: {
      kind: 'foreign-key',
      cardinality: key.isOneToOne ? 'one' : 'many',
      constraint: key.name,
      from,
      to: table,
      pairs: pairsBack(key),
    },
    cardinality: key.isOneToOne ? 'one-to-one' : 'one-to-many',
    names: table === from ? [table.name] : [table.name, key.name],
    hints: hintsOf(key),
  }));
}

// A junction is a table whose primary key holds the columns of both keys: then a pair of rows meets in
// it at most once.
function waysThrough(
  catalog: Catalog,
  from: Table,
  referrers: readonly Referrer[],
): readonly Way[] {
  return referrers.flatMap(({ table: through, key: near }) => {
    if (!isPartOfPrimaryKey(through, near)) return [];
    return through.foreignKeys.flatMap((far): readonly Way[] => {
      const to = far === near ? undefined : targetOf(catalog, far);
      if (!to || !isPartOfPrimaryKey(through, far)) return [];
      return [
        {
          relationship: {
            kind: 'junction',
            cardinality: 'many',
            from,
            to,
            through,
            near: { constraint: near.name, pairs: pairsBack(near) },
            far: { constraint: far.name, pairs: pairsAlong(far) },
          },
          cardinality: 'many-to-many',
          names: [to.name],
          hints: [through.name, far.name, ...far.columns],
        },
      ];
    });
  });
}

// A key that is unique by itself leads to one row at most and makes no junction.
function isPartOfPrimaryKey({ primaryKey }: Table, key: ForeignKey): boolean {
  return !key.isOneToOne && key.columns.every((column) => primaryKey.includes(column));
}

/** A temporal foreign key between `from` and the table called `name`, or of `from` and with that name. */
export function findTemporalKey(catalog: Catalog, from: Table, name: string): Referrer | undefined {
  return [from, findTarget(catalog, name)]
    .flatMap((table) => table?.temporalKeys.map((key) => ({ table, key })) ?? [])
    .find(({ table, key }) =>
      table === from
        ? [key.name, key.target.table].includes(name)
        : key.target.schema === 'public' && key.target.table === from.name,
    );
}

/** The table called `name` that a way may lead to; undefined when requests may not reach it. */
export function findTarget(catalog: Catalog, name: string): Table | undefined {
  return isExposed(name) ? catalog.tableByName.get(name) : undefined;
}
