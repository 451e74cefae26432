// Changes of saved queries from their tabs: the text, and the name.
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { showProblem, showToast } from '../../ui/toast.js';
import { changeQuery, savedQueriesQuery } from './queries.js';
import type { SqlTab } from './tabs.js';
import type { OpenTabs } from './use-tabs.js';

interface Saving {
  /** Whether the tab is a saved query of the operator, which takes a new text. */
  readonly canStore: (tab: SqlTab) => boolean;
  readonly store: (tab: SqlTab) => void;
  /** Renames a tab, with the query that it shows. */
  readonly rename: (tab: SqlTab, name: string) => void;
}

export function useSaving(ref: string, tabs: OpenTabs): Saving {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ id, ...changes }: { id: string; sql?: string; name?: string }) =>
      changeQuery(ref, id, changes),
    onSuccess: ({ id, name, sql }) => {
      tabs.change(id, { savedSql: sql, name });
      showToast({ kind: 'done', text: `“${name}” is saved.` });
      void queryClient.invalidateQueries(savedQueriesQuery(ref));
    },
    onError: showProblem,
  });
  const canStore = ({ savedSql, isOwn }: SqlTab): boolean =>
    savedSql !== undefined && isOwn === true;
  return {
    canStore,
    store: ({ id, sql }) => change.mutate({ id, sql }),
    rename(tab, name) {
      if (canStore(tab)) change.mutate({ id: tab.id, name });
      else tabs.change(tab.id, { name });
    },
  };
}
