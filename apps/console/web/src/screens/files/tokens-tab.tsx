import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { shownName } from '../../ui/shown-name.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { Nothing, RemoveButton, Row, Rows } from '../users/rows.js';
import { deleteToken, tokensQuery, type Token } from './bucket-queries.js';
import { WaitingRows } from './empty.js';
import { type Bucket, proxied } from './queries.js';
import { TokenDialog } from './token-dialog.js';

const kinds: Readonly<Record<Token['kind'], string>> = {
  read: 'Read',
  write: 'Upload',
  delete: 'Delete',
};

/** The tokens of a bucket: each lets a device read, upload or delete without a user. */
export default function TokensTab({ bucket }: { readonly bucket: Bucket }): ReactNode {
  const { ref } = useProject();
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useQuery(tokensQuery(ref, bucket.slug));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto max-w-prose text-[14px] text-soft">
          A device without a user sends a token as the header x-bucket-token to /api/storage/
          {bucket.slug}/… It reads, uploads or deletes, past all policies.
        </p>
        <CopyButton
          text={curlOf({ path: proxied(ref, `/admin/storage/buckets/${bucket.slug}/tokens`) })}
          what="as curl: the tokens"
        >
          Copy as curl
        </CopyButton>
        <Button look="primary" onClick={() => setMaking(true)}>
          New token
        </Button>
      </div>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && <WaitingRows label="Loading the tokens" />}
      {data?.length === 0 && <Nothing>The bucket has no token.</Nothing>}
      {data && data.length > 0 && (
        <Rows label="Tokens">
          {data.map((token) => (
            <TokenRow key={token.id} slug={bucket.slug} token={token} />
          ))}
        </Rows>
      )}
      {isMaking && <TokenDialog slug={bucket.slug} onClose={() => setMaking(false)} />}
    </div>
  );
}

function TokenRow({ slug, token }: { readonly slug: string; readonly token: Token }): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const { id, name, kind, start, expiresAt, lastUsedAt, createdAt } = token;
  const deleting = useMutation({
    mutationFn: () => deleteToken(ref, slug, id),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: tokensQuery(ref, slug).queryKey });
      showToast({ kind: 'done', text: 'The token is deleted.' });
    },
  });
  const hasEnded = expiresAt !== null && new Date(expiresAt).getTime() < Date.now();
  return (
    <Row
      title={
        <span className="flex flex-wrap items-center gap-2">
          {shownName(name)}
          <span className="rounded-md bg-sunken px-1.5 text-[12px] font-medium text-soft">
            {kinds[kind]}
          </span>
        </span>
      }
      about={
        <>
          <code>{start}…</code>, made <Time at={createdAt} />,{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              used <Time at={lastUsedAt} />
            </>
          )}
          {expiresAt !== null && (
            <>
              , {hasEnded ? 'ended' : 'ends'} <Time at={expiresAt} />
            </>
          )}
          <ProblemNotice of={deleting.error} />
        </>
      }
      action={
        <RemoveButton
          name="Delete"
          what={`the token ${shownName(name)}`}
          busy={deleting.isPending}
          onRemove={() => deleting.mutate()}
        />
      }
    />
  );
}
