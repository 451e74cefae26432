import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Skeleton } from '../../ui/skeleton.js';
import { knownAs } from './names.js';
import { userQuery } from './queries.js';

interface KnownUserProps {
  readonly projectRef: string;
  readonly id: string;
}

/** The address or the name of a user of whom a screen has the id alone; the id if the user is not found. */
export function KnownUser({ projectRef, id }: KnownUserProps): ReactNode {
  const { name, isPending } = useKnownAs(projectRef, id);
  return <span title={id}>{isPending ? <Skeleton className="w-40" /> : (name ?? id)}</span>;
}

/** The same as a text. Undefined: not known, or not yet. */
export function useKnownAs(projectRef: string, id: string) {
  const { data, isLoading } = useQuery({
    ...userQuery(projectRef, id),
    enabled: id !== '',
    refetchInterval: false,
  });
  return { name: data && knownAs(data.user), isPending: isLoading };
}
