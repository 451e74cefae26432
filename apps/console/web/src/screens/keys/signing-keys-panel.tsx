import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { CopyField } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { useProject } from '../project/use-project.js';
import { type SigningKeys, signingKeysQuery } from './queries.js';
import { SigningRotationDialog } from './signing-rotation-dialog.js';

/** The keys by which other servers verify the signed tokens of users. */
export function SigningKeysPanel(): ReactNode {
  const { ref, url } = useProject();
  const { data, error, refetch } = useQuery(signingKeysQuery(ref));
  const [isRotating, setRotating] = useState(false);
  return (
    <Panel
      title="Signing keys"
      side={
        data &&
        data.keys.length > 0 && (
          <Button onClick={() => setRotating(true)} aria-label="Rotate the signing key">
            <RotateCw aria-hidden className="size-4" />
            Rotate
          </Button>
        )
      }
    >
      <p className="text-[14px] text-soft">
        Other servers verify signed tokens (JWT) of users with the public halves. The private halves
        stay in the database of the project.
      </p>
      <CopyField label="Address of the public keys" text={`${url}/api/auth/jwks`} />
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && (
        <div role="group" aria-busy aria-label="Loading" className="border-t border-line pt-3">
          <Skeleton className="w-64" />
        </div>
      )}
      {data && <List of={data} />}
      {data && isRotating && (
        <SigningRotationDialog keys={data} onClose={() => setRotating(false)} />
      )}
    </Panel>
  );
}

function List({ of: { keys, rotateAfterDays } }: { readonly of: SigningKeys }): ReactNode {
  return (
    <>
      {keys.length === 0 ? (
        <p className="border-t border-line pt-3 text-[14px]">
          There is no key yet. The first token makes it: call{' '}
          <code className="text-[13px]">client.auth.getClaims()</code> in your app.
        </p>
      ) : (
        <ul aria-label="Signing keys" className="divide-y divide-line border-t border-line">
          {keys.map(({ keyId, algorithm, createdAt, publishedUntil }) => (
            <li key={keyId} className="py-3 last:pb-0">
              <p className="flex flex-wrap items-center gap-2">
                <code className="text-[14px] break-all">{keyId}</code>
                <span
                  className={`rounded-sm px-1.5 text-[12px] font-medium ${publishedUntil === null ? 'bg-good-soft text-good' : 'bg-sunken text-soft'}`}
                >
                  {publishedUntil === null ? 'signs' : 'verifies'}
                </span>
              </p>
              <p className="text-[13px] text-soft">
                {algorithm ?? 'unknown algorithm'} · made <Time at={createdAt} />
                {publishedUntil !== null && (
                  <>
                    {' '}
                    · its tokens verify until its end, <Time at={publishedUntil} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      <p className="text-[13px] text-soft">
        {rotateAfterDays === 0
          ? 'The key is replaced only when an operator rotates it.'
          : `The key is replaced every ${counted(rotateAfterDays, 'day')}, and when an operator rotates it.`}
      </p>
    </>
  );
}
