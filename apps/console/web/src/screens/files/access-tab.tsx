import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import { recountBucket, refreshFiles } from './bucket-actions.js';
import BucketDialog from './bucket-dialog.js';
import { QuotaBar } from './bucket-card.js';
import { CorsPanel } from './cors-panel.js';
import type { Bucket } from './queries.js';
import { sizeText } from './sizes.js';

/** Who may read a bucket and what it takes: limits, policies, and the rules for pages of other origins. */
export default function AccessTab({ bucket }: { readonly bucket: Bucket }): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  const [isEditing, setEditing] = useState(false);
  const queryClient = useQueryClient();
  const counting = useMutation({
    mutationFn: async () => (await recountBucket(ref, bucket.slug)).data,
    async onSuccess(drift) {
      await refreshFiles(queryClient, ref);
      const isRight = Object.values(drift).every((difference) => difference === 0);
      const text = isRight
        ? 'The counters of the bucket are right.'
        : 'The counters are corrected.';
      showToast({ kind: 'done', text });
    },
  });
  const { maxFileBytes, allowedMimeTypes } = bucket;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Panel
        title="Limits"
        side={
          mayWrite && (
            <span className="flex gap-2">
              <Button busy={counting.isPending} onClick={() => counting.mutate()}>
                Count again
              </Button>
              <Button onClick={() => setEditing(true)}>Change</Button>
            </span>
          )
        }
      >
        <ProblemNotice of={counting.error} />
        <QuotaBar bucket={bucket} />
        <dl className="grid gap-x-4 gap-y-1.5 text-[14px] sm:grid-cols-[8rem_minmax(0,1fr)]">
          <dt className="text-soft">Largest file</dt>
          <dd>{maxFileBytes === null ? 'as the project allows' : sizeText(maxFileBytes)}</dd>
          <dt className="text-soft">Allowed types</dt>
          <dd className="break-words">{allowedMimeTypes?.join(', ') ?? 'all'}</dd>
        </dl>
      </Panel>
      <Panel
        title="Policies"
        side={
          <Link
            to="/projects/$ref/policies"
            params={{ ref }}
            search={{ schema: 'storage' }}
            className="text-[14px] text-accent underline"
          >
            Show the policies of files
          </Link>
        }
      >
        <p className="max-w-prose text-[14px] text-soft">
          {bucket.public
            ? 'Everybody reads the public files of this bucket by their addresses. '
            : 'Nobody reads the files of this bucket without a right. '}
          Policies on the table storage.files decide what users read, add, change and delete. By
          default users do everything with their own files. Secret keys, tokens of the bucket and
          operators are bound by no policy.
        </p>
      </Panel>
      <CorsPanel bucket={bucket} />
      {isEditing && <BucketDialog bucket={bucket} onClose={() => setEditing(false)} />}
    </div>
  );
}
