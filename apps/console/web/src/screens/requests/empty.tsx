import { ListX, ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useProject } from '../project/use-project.js';
import type { RequestsSearch } from './search.js';

const none = {
  all: {
    title: 'No request yet',
    about:
      'Each request to the project appears here when it ends. Run this to make one; it needs no key.',
  },
  failed: {
    title: 'No request has failed',
    about: 'Answers with a status of 400 and more appear here. Run this to make one.',
  },
  slow: {
    title: 'No request was slow',
    about: 'Requests of a second and more appear here. Run this to see a fast one among all.',
  },
} as const;

/** What makes the first request of a list. */
export function NoRequests({ list }: { readonly list: RequestsSearch['list'] }): ReactNode {
  const { url } = useProject();
  const { title, about } = none[list ?? 'all'];
  const path = list === 'failed' ? '/rest/v1/no-such-table' : '/api/auth/get-session';
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line bg-surface p-5 sm:p-8">
      <div className="grid gap-1.5">
        <ScrollText aria-hidden className="size-6 text-soft" />
        <h2 className="text-[17px] font-semibold">{title}</h2>
        <p className="max-w-prose text-[14px] text-soft">{about}</p>
      </div>
      <Code label="A request with curl" text={`curl -s '${url}${path}'`} />
      <p className="max-w-prose text-[14px] text-soft">
        The server keeps the last 1,000 requests since its start, and apart from them the last 1,000
        that failed or were slow. It keeps no bodies, values, addresses or secrets. Requests of
        administration are left out unless they fail.
      </p>
    </section>
  );
}

export function NoMatch({ onClear }: { readonly onClear: () => void }): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <ListX aria-hidden className="size-6 text-soft" />
      <p>No request matches the filters.</p>
      <p className="max-w-prose text-[14px] text-soft">
        Paths are the patterns of routes, such as “/rest/v1/:table”: the server keeps no names of
        tables and no values.
      </p>
      <Button onClick={onClear}>Show all requests</Button>
    </div>
  );
}

/** As high as the list, and where it will be. */
export function WaitingRequests(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading the requests">
      <p className="flex h-9 items-center">
        <Skeleton className="w-24" />
      </p>
      <div className="rounded-lg border border-line bg-surface">
        <div className="flex h-[37px] items-center border-b border-line px-3 max-sm:hidden">
          <Skeleton className="w-16" />
        </div>
        <div className="h-[max(18rem,calc(100dvh-21rem))] divide-y divide-line overflow-hidden">
          {Array.from({ length: 12 }, (_, row) => (
            <div key={row} className="flex h-14 items-center gap-6 px-3 sm:h-[34px]">
              <Skeleton className="w-20" />
              <Skeleton className="w-48 max-sm:w-28" />
              <Skeleton className="ml-auto w-16" />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
