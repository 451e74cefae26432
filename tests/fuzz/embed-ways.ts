import type { Catalog, Table } from '#libs/catalog';

/** A way to rows of another table, and how a request says it. */
export interface EmbedWay {
  readonly relation: string;
  readonly hint: string | undefined;
  readonly to: Table;
  readonly cardinality: 'one' | 'many';
}

/** Every way that leads from a table, so named that it is the only one where that is possible. */
export function embedWays({ tableByName }: Catalog, from: Table): readonly EmbedWay[] {
  const tables = [...tableByName.values()];
  const along = from.foreignKeys.flatMap((key): EmbedWay[] => {
    const to = tableByName.get(key.target.table);
    if (!to) return [];
    const byKey = { relation: key.name, hint: undefined, to, cardinality: 'one' } as const;
    return to === from ? [byKey] : [{ ...byKey, relation: to.name, hint: key.name }, byKey];
  });
  const back = tables.flatMap((to) =>
    to.foreignKeys
      .filter(({ target }) => target.table === from.name)
      .map((key): EmbedWay => {
        const cardinality = key.isOneToOne ? 'one' : 'many';
        return { relation: to.name, hint: key.name, to, cardinality };
      }),
  );
  const through = tables.flatMap((junction) => waysThrough(tableByName, from, junction));
  const computed = from.computedRelations.flatMap(({ name, table, cardinality }): EmbedWay[] => {
    const to = tableByName.get(table);
    return to ? [{ relation: name, hint: undefined, to, cardinality }] : [];
  });
  return [...along, ...back, ...through, ...computed];
}

function waysThrough(
  tableByName: ReadonlyMap<string, Table>,
  from: Table,
  junction: Table,
): readonly EmbedWay[] {
  const [near, far] = junction.foreignKeys;
  if (!near || !far || near.target.table !== from.name) return [];
  const isInKey = [...near.columns, ...far.columns].every((name) =>
    junction.primaryKey.includes(name),
  );
  const to = tableByName.get(far.target.table);
  return isInKey && to ? [{ relation: to.name, hint: far.name, to, cardinality: 'many' }] : [];
}
