import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, api } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { deviceName } from '../account/device-name.js';
import { Nothing, RemoveButton, Row, Rows } from '../users/rows.js';
import type { Person } from './people.js';
import { sessionsOfQuery } from './queries.js';

/** Where an operator is signed in. */
export function SessionsPart({ person: { id } }: { readonly person: Person }): ReactNode {
  const queryClient = useQueryClient();
  const query = sessionsOfQuery(id);
  const { data, error, refetch } = useQuery(query);
  const refresh = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const ending = useMutation({
    mutationFn: (sessionId: string) => {
      const params = { path: { id, sessionId } };
      return answer(api.DELETE('/platform/operators/{id}/sessions/{sessionId}', { params }));
    },
    onSettled: refresh,
  });
  const endingAll = useMutation({
    mutationFn: () =>
      answer(api.DELETE('/platform/operators/{id}/sessions', { params: { path: { id } } })),
    onSettled: refresh,
  });
  const failure = ending.error ?? endingAll.error;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ProblemNotice of={failure} />
      {!data && <ProblemNotice of={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="w-64" />}
      {data?.length === 0 && <Nothing>The operator is not signed in anywhere.</Nothing>}
      {data && data.length > 0 && (
        <>
          <div className="flex items-center gap-3">
            <p className="mr-auto text-[14px] text-soft">{counted(data.length, 'session')}</p>
            <RemoveButton
              name="End"
              what="all sessions"
              busy={endingAll.isPending}
              onRemove={() => endingAll.mutate()}
            />
          </div>
          <Rows label="Sessions">
            {data.map((session) => (
              <Row
                key={session.id}
                title={deviceName(session.userAgent)}
                about={
                  <>
                    {session.ip ?? 'unknown address'} · began <Time at={session.createdAt} /> · used{' '}
                    <Time at={session.lastSeenAt} /> · ends <Time at={session.expiresAt} />
                  </>
                }
                action={
                  session.isCurrent ? (
                    <span className="text-[13px] text-soft">This session</span>
                  ) : (
                    <Button
                      size="small"
                      busy={ending.isPending && ending.variables === session.id}
                      aria-label={`End the session on ${deviceName(session.userAgent)}`}
                      onClick={() => ending.mutate(session.id)}
                    >
                      End
                    </Button>
                  )
                }
              />
            ))}
          </Rows>
        </>
      )}
    </div>
  );
}
