import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';

import { answer, projectApi } from '../../api/client.js';
import { showToast } from '../../ui/toast.js';
import { schemaKey, schemaQuery } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { type Change, scriptOf } from './change.js';
import { tableDetailsQuery } from './queries.js';

/** What an operator needs to change the structure: SQL runs as the owner of the project with both alone. */
const needed = ['content.write', 'secrets.manage'] as const;

/** The capabilities that the operator lacks for changes of the structure; empty if none. */
export function useLackingForChanges(): readonly string[] {
  const { capabilities } = useProject();
  return needed.filter((capability) => !capabilities.includes(capability));
}

/** Whether the operator may change the structure of the project that is open. */
export function useMayChange(): boolean {
  return useLackingForChanges().length === 0;
}

/** The schema of the project that is open, read again while it is on the screen. */
export function useSchema() {
  const { ref } = useProject();
  return useQuery(schemaQuery(ref));
}

/** The details of a table of the project that is open, read again while they are on the screen. */
export function useTableDetails(table: string) {
  const { ref } = useProject();
  return useQuery(tableDetailsQuery(ref, table));
}

/** Runs a change in one transaction, has everything about the schema read again, and says that it is done. */
export function useRunChange(
  onDone: (change: Change) => void,
): UseMutationResult<unknown, Error, Change> {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  return useMutation<unknown, Error, Change>({
    mutationFn: (change) =>
      answer(projectApi(ref).POST('/api/admin/sql', { body: { query: scriptOf(change) } })),
    onSuccess: async (_, change) => {
      await queryClient.invalidateQueries({ queryKey: schemaKey(ref) });
      showToast({ kind: 'done', text: change.done });
      onDone(change);
    },
  });
}
