import { useQueryClient } from '@tanstack/react-query';

import { useProject } from '../project/use-project.js';
import {
  groupQuery,
  historyQuery,
  ssoProvidersQuery,
  statusesQuery,
  templatesQuery,
} from './queries.js';

/** Reads again what depends on a group. The promise ends when the group itself is read. */
export function useRefresh(group: string): () => Promise<void> {
  const { ref } = useProject();
  const client = useQueryClient();
  return async () => {
    for (const { queryKey } of [
      historyQuery(ref, group),
      statusesQuery(ref),
      templatesQuery(ref),
    ]) {
      void client.invalidateQueries({ queryKey });
    }
    await client.invalidateQueries({ queryKey: groupQuery(ref, group).queryKey });
  };
}

/** Reads the identity providers again, and what their list decides. */
export function useRefreshSso(): () => Promise<void> {
  const { ref } = useProject();
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: statusesQuery(ref).queryKey });
    await client.invalidateQueries({ queryKey: ssoProvidersQuery(ref).queryKey });
  };
}
