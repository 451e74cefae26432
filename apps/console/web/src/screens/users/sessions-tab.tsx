import { VenetianMask } from 'lucide-react';
import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { deviceName } from '../account/device-name.js';
import { endSessions } from './actions.js';
import type { UserDetail } from './queries.js';
import { Nothing, Row, Rows } from './rows.js';
import { useUserChange } from './use-user-change.js';

type Session = UserDetail['sessions'][number];

/** Where the user is signed in, and who acts as the user. */
export function SessionsTab({ detail }: { readonly detail: UserDetail }): ReactNode {
  const { user, sessions } = detail;
  const ending = useUserChange((ref, sessionId: string) => {
    const params = { path: { id: user.id, sessionId } };
    return answer(projectApi(ref).DELETE('/api/admin/users/{id}/sessions/{sessionId}', { params }));
  });
  const endingAll = useUserChange((ref, id: string) => endSessions(ref, id));
  if (sessions.length === 0)
    return (
      <>
        <ProblemNotice of={ending.error ?? endingAll.error} />
        <Nothing>The user is not signed in anywhere.</Nothing>
      </>
    );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-center gap-3">
        <p className="mr-auto text-[14px] text-soft">{counted(sessions.length, 'session')}</p>
        <Button size="small" busy={endingAll.isPending} onClick={() => endingAll.mutate(user.id)}>
          End all sessions
        </Button>
      </div>
      <ProblemNotice of={ending.error ?? endingAll.error} />
      <Rows label="Sessions">
        {sessions.map((session) => (
          <Row
            key={session.id}
            title={<Client of={session} />}
            about={
              <>
                {session.ipAddress || 'unknown address'} · began <Time at={session.createdAt} /> ·
                used <Time at={session.updatedAt} /> · ends <Time at={session.expiresAt} />
                {session.aal === 'aal2' && ' · with a second factor'}
              </>
            }
            action={
              <Button
                size="small"
                busy={ending.isPending && ending.variables === session.id}
                aria-label={`End the session of ${clientName(session)}`}
                onClick={() => ending.mutate(session.id)}
              >
                End
              </Button>
            }
          />
        ))}
      </Rows>
    </div>
  );
}

function Client({ of: session }: { readonly of: Session }): ReactNode {
  if (session.impersonatedBy === null) return clientName(session);
  return (
    <span className="inline-flex items-center gap-1.5 text-warn">
      <VenetianMask aria-hidden className="size-4 shrink-0" />
      {clientName(session)}
    </span>
  );
}

function clientName({ userAgent, impersonatedBy }: Session): string {
  if (impersonatedBy === null) return deviceName(userAgent);
  return `Impersonation by ${impersonatedBy.email ?? 'the secret key'}`;
}
