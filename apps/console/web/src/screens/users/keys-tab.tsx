import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import type { UserDetail } from './queries.js';
import { Nothing, RemoveButton, Row, Rows } from './rows.js';
import { useUserChange } from './use-user-change.js';

/** The API keys that the user has made. A key is known by its first characters alone. */
export function KeysTab({ detail: { user, apiKeys } }: { readonly detail: UserDetail }): ReactNode {
  const removing = useUserChange((ref, keyId: string) => {
    const params = { path: { id: user.id, keyId } };
    return answer(projectApi(ref).DELETE('/api/admin/users/{id}/api-keys/{keyId}', { params }));
  });
  if (apiKeys.length === 0)
    return (
      <>
        <ProblemNotice of={removing.error} />
        <Nothing>The user has no API keys.</Nothing>
      </>
    );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ProblemNotice of={removing.error} />
      <Rows label="API keys">
        {apiKeys.map((key) => (
          <Row
            key={key.id}
            title={
              <>
                {key.name ?? 'API key'} <code className="text-[13px] text-soft">{key.start}…</code>
              </>
            }
            about={
              <>
                {!key.enabled && 'turned off · '}
                made <Time at={key.createdAt} />
                {key.lastRequest === null ? (
                  ' · never used'
                ) : (
                  <>
                    {' '}
                    · used <Time at={key.lastRequest} />
                  </>
                )}
                {key.expiresAt !== null && (
                  <>
                    {' '}
                    · ends <Time at={key.expiresAt} />
                  </>
                )}
                {key.remaining !== null && ` · ${counted(key.remaining, 'use')} left`}
              </>
            }
            action={
              <RemoveButton
                name="Revoke"
                what={`the key ${key.name ?? key.start ?? ''}`}
                busy={removing.isPending}
                onRemove={() => removing.mutate(key.id)}
              />
            }
          />
        ))}
      </Rows>
    </div>
  );
}
