import { useMemo } from 'react';

import type { SchemaColumn, SchemaTable } from '../project/schema.js';
import type { TablesSearch } from './search.js';

export interface ShownColumns {
  readonly hidden: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** In their order; pinned ones first. */
  readonly shown: readonly SchemaColumn[];
}

/** The columns of a table that the address shows. */
export function useShownColumns(
  { columns }: SchemaTable,
  { hide, pin }: TablesSearch,
): ShownColumns {
  return useMemo(() => {
    const [hidden, pinned] = [new Set(hide), new Set(pin)];
    const shown = columns.filter(({ name }) => !hidden.has(name));
    const isPinned = ({ name }: SchemaColumn): boolean => pinned.has(name);
    return {
      hidden,
      pinned,
      shown: [...shown.filter(isPinned), ...shown.filter((each) => !isPinned(each))],
    };
  }, [columns, hide, pin]);
}
