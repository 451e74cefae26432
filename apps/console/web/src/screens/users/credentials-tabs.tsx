// The ways in which a user proves to be the user: identities, second factors and passkeys.
import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { providerName } from './names.js';
import type { UserDetail } from './queries.js';
import { Nothing, RemoveButton, Row, Rows } from './rows.js';
import { useUserChange } from './use-user-change.js';

/** The providers by which the user may sign in. */
export function IdentitiesTab({
  detail: { identities },
}: {
  readonly detail: UserDetail;
}): ReactNode {
  if (identities.length === 0)
    return <Nothing>The user has no password and no identity of a provider.</Nothing>;
  return (
    <Rows label="Identities">
      {identities.map(({ id, provider, accountId, createdAt, updatedAt }) => (
        <Row
          key={id}
          title={providerName(provider)}
          about={
            <>
              {provider !== 'credential' && <>id there {accountId} · </>}
              since <Time at={createdAt} /> · changed <Time at={updatedAt} />
            </>
          }
        />
      ))}
    </Rows>
  );
}

/** Second factors and passkeys. They are removed when a device is lost. */
export function FactorsTab({ detail }: { readonly detail: UserDetail }): ReactNode {
  const { user, factors, passkeys } = detail;
  const { id } = user;
  const removing = useUserChange((ref, factorId: string) => {
    const params = { path: { id, factorId } };
    return answer(projectApi(ref).DELETE('/api/admin/users/{id}/factors/{factorId}', { params }));
  });
  const removingPasskey = useUserChange((ref, passkeyId: string) => {
    const params = { path: { id, passkeyId } };
    return answer(projectApi(ref).DELETE('/api/admin/users/{id}/passkeys/{passkeyId}', { params }));
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ProblemNotice of={removing.error ?? removingPasskey.error} />
      {factors.length === 0 && passkeys.length === 0 && (
        <Nothing>The user has no second factor and no passkey.</Nothing>
      )}
      {factors.length > 0 && (
        <Rows label="Second factors">
          {factors.map((factor) => (
            <Row
              key={factor.id}
              title="Authenticator app"
              about={
                <>
                  {factor.status === 'verified'
                    ? 'sign-ins ask for a code'
                    : 'not verified: sign-ins do not ask for it'}{' '}
                  · since <Time at={factor.created_at} />
                </>
              }
              action={
                <RemoveButton
                  name="Remove"
                  what="the authenticator app"
                  busy={removing.isPending}
                  onRemove={() => removing.mutate(factor.id)}
                />
              }
            />
          ))}
        </Rows>
      )}
      {passkeys.length > 0 && (
        <Rows label="Passkeys">
          {passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              title={passkey.name ?? 'Passkey'}
              about={
                <>
                  {passkey.backedUp ? 'synchronized between devices' : 'on one device'}
                  {passkey.createdAt !== null && (
                    <>
                      {' '}
                      · since <Time at={passkey.createdAt} />
                    </>
                  )}
                </>
              }
              action={
                <RemoveButton
                  name="Remove"
                  what={`the passkey ${passkey.name ?? ''}`}
                  busy={removingPasskey.isPending}
                  onRemove={() => removingPasskey.mutate(passkey.id)}
                />
              }
            />
          ))}
        </Rows>
      )}
    </div>
  );
}
