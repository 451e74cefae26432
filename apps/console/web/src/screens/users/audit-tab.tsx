import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { refreshMs } from '../../api/refresh.js';
import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { useProject } from '../project/use-project.js';
import { type AuditEntry, auditOf, usersKey } from './queries.js';
import { Nothing, Row, Rows } from './rows.js';

/** What administrators have done to the user, the newest first. */
export function AuditTab({ userId }: { readonly userId: string }): ReactNode {
  const { ref } = useProject();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...usersKey(ref), 'audit', userId],
    queryFn: ({ pageParam }) => auditOf(ref, userId, pageParam === '' ? undefined : pageParam),
    initialPageParam: '',
    getNextPageParam: ({ entries }, pages) => {
      const shown = pages.reduce((count, page) => count + page.entries.length, 0);
      const total = pages[0]?.total ?? 0;
      return shown < total ? entries.at(-1)?.id : undefined;
    },
    refetchInterval: refreshMs,
    retry: false,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ProblemNotice of={error} />
      {!data && !error && <Skeleton className="w-64" />}
      {data && entries.length === 0 && (
        <Nothing>No administrator has changed anything about the user.</Nothing>
      )}
      {entries.length > 0 && (
        <Rows label="Audit">
          {entries.map((entry) => (
            <Row
              key={entry.id}
              title={<code className="text-[13px]">{entry.action}</code>}
              about={
                <>
                  {actorOf(entry)} · <Time at={entry.at} />
                  {entry.ip !== null && ` · ${entry.ip}`}
                  <Change of={entry} />
                </>
              }
            />
          ))}
        </Rows>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      )}
    </div>
  );
}

function actorOf({ actor }: AuditEntry): string {
  return actor.email ?? actor.id ?? (actor.kind === 'secret-key' ? 'The secret key' : actor.kind);
}

function Change({ of: { before, after } }: { readonly of: AuditEntry }): ReactNode {
  if (before === null && after === null) return null;
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-pointer rounded-sm">Details</summary>
      <pre className="mt-1 max-h-60 overflow-auto rounded-md bg-sunken px-2.5 py-2 font-mono text-[12px] break-words whitespace-pre-wrap">
        {JSON.stringify({ before, after }, null, 2)}
      </pre>
    </details>
  );
}
