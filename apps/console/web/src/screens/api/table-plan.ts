// What the snippets of a table do, whatever language they are in.
import type { ApiField, ApiTable } from './document.js';
import { insertSample, sampleOf, upsertSample } from './samples.js';
import { notes } from './snippet.js';

export interface Pair {
  readonly name: string;
  readonly value: unknown;
}

export interface TablePlan {
  /** What names one row: the primary key or, without one, the first column. */
  readonly row: readonly Pair[];
  readonly hasKey: boolean;
  readonly insert: readonly Pair[];
  /** Undefined if no column can be changed. */
  readonly update: Pair | undefined;
  readonly upsert:
    | { readonly kind: 'values'; readonly values: readonly Pair[] }
    | { readonly kind: 'none'; readonly why: string };
  /** The column that rows are ordered by. */
  readonly order: string | undefined;
}

export function planOf({ primaryKey, columns, insertable, updatable }: ApiTable): TablePlan {
  const key = primaryKey.flatMap((name) => columns.filter((column) => column.name === name));
  const hasKey = primaryKey.length > 0 && key.length === primaryKey.length;
  const update = updatable.find(({ name }) => !primaryKey.includes(name)) ?? updatable[0];
  const isKeyWritable = primaryKey.every((name) => insertable.some((each) => each.name === name));
  return {
    row: (hasKey ? key : columns.slice(0, 1)).map(pairOf),
    hasKey,
    insert: insertSample(insertable).map(pairOf),
    update: update && pairOf(update),
    upsert:
      hasKey && isKeyWritable
        ? { kind: 'values', values: upsertSample(insertable, primaryKey).map(pairOf) }
        : { kind: 'none', why: hasKey ? notes.fixedKey : notes.noKey },
    order: (hasKey ? primaryKey[0] : columns[0]?.name) ?? undefined,
  };
}

export const pairOf = ({ name, schema }: ApiField): Pair => ({ name, value: sampleOf(schema) });
