import { useMutation, useQueryClient } from '@tanstack/react-query';

import { useProject } from '../project/use-project.js';
import { dnsQuery, liveDomainsQuery } from './queries.js';

/** A change of a domain; afterwards the list, the origins and what DNS says of it are read again. */
export function useDomainChange<Output>(
  change: (ref: string, domain: string) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  const { ref } = useProject();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (domain: string) => change(ref, domain),
    onSuccess: (output) => onDone?.(output),
    onSettled: async (_output, _error, domain) => {
      void client.invalidateQueries({ queryKey: ['projects', ref, 'origins'] });
      void client.invalidateQueries({ queryKey: dnsQuery(ref, domain).queryKey });
      await client.invalidateQueries({ queryKey: liveDomainsQuery(ref).queryKey });
    },
  });
}
