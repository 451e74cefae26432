import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { endOtherSession, sessionsQuery, useChange } from './queries.js';
import { Row, Rows, Section } from './section.js';
import { deviceName } from './device-name.js';

export function SessionsSection(): ReactNode {
  const { data, error } = useQuery(sessionsQuery);
  const ending = useChange(endOtherSession);
  return (
    <Section
      title="Sessions"
      about="Where you are signed in. End sessions that you do not recognize."
    >
      <ProblemNotice of={ending.error} />
      {!data && error && <ProblemNotice of={error} />}
      {!data && !error && (
        <Rows>
          <Row title={<Skeleton className="w-40" />} about={<Skeleton className="w-64" />} />
        </Rows>
      )}
      {data && (
        <Rows>
          {data.map((session) => (
            <Row
              key={session.id}
              title={deviceName(session.userAgent)}
              about={
                <>
                  {session.ip ?? 'unknown address'} · used <Time at={session.lastSeenAt} /> · ends{' '}
                  <Time at={session.expiresAt} />
                </>
              }
              action={
                session.isCurrent ? (
                  <span className="text-[13px] text-soft">This session</span>
                ) : (
                  <Button
                    size="small"
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
      )}
    </Section>
  );
}
