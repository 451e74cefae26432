import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useMay, useProject } from '../project/use-project.js';
import { Nothing } from '../users/rows.js';
import { webhooksQuery } from './bucket-queries.js';
import { WaitingRows } from './empty.js';
import { type Bucket, proxied } from './queries.js';
import { WebhookCard } from './webhook-card.js';
import { WebhookDialog } from './webhook-dialog.js';

/** The servers that are called for changes to the files of a bucket, with what was sent to them. */
export default function WebhooksTab({ bucket }: { readonly bucket: Bucket }): ReactNode {
  const { slug } = bucket;
  const { ref } = useProject();
  const mayManage = useMay('secrets.manage');
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useQuery(webhooksQuery(ref, slug));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto max-w-prose text-[14px] text-soft">
          Your server is called after each change to the files of this bucket, with a signature. A
          call that fails is repeated.
        </p>
        <CopyButton
          text={curlOf({ path: proxied(ref, `/admin/storage/buckets/${slug}/webhooks`) })}
          what="as curl: the webhooks"
        >
          Copy as curl
        </CopyButton>
        {mayManage && (
          <Button look="primary" onClick={() => setMaking(true)}>
            New webhook
          </Button>
        )}
      </div>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && <WaitingRows label="Loading the webhooks" />}
      {data?.length === 0 && (
        <Nothing>
          The bucket has no webhook.
          {!mayManage && ' Operators with secrets.manage make one.'}
        </Nothing>
      )}
      <ul aria-label="Webhooks" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {data?.map((hook) => (
          <WebhookCard key={hook.id} slug={slug} hook={hook} />
        ))}
      </ul>
      {isMaking && <WebhookDialog slug={slug} onClose={() => setMaking(false)} />}
    </div>
  );
}
