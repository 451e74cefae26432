import { useMutation, useQueryClient } from '@tanstack/react-query';

import { useProject } from '../project/use-project.js';
import { refreshUsers } from './actions.js';

/** A change of the user whose details are open; afterwards they are read again. */
export function useUserChange<Input>(change: (ref: string, input: Input) => Promise<unknown>) {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(ref, input),
    onSettled: () => refreshUsers(queryClient, ref),
  });
}
