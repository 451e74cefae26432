import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { clockTime } from '../../ui/time-in-words.js';
import { useMay, useProject } from '../project/use-project.js';
import { BucketCard, type BucketTask } from './bucket-card.js';
import { relocationQuery } from './bucket-queries.js';
import { NoBuckets } from './empty.js';
import { isHidden } from './names.js';
import { type Bucket, bucketsQuery, proxied } from './queries.js';
import { RelocationPanel } from './relocation-panel.js';

const BucketDialog = lazy(() => import('./bucket-dialog.js'));
const DeleteBucketDialog = lazy(() => import('./delete-bucket-dialog.js'));

/** The buckets of the project with what they hold, and where the bytes are. */
export function BucketsPage(): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  const { data, error, dataUpdatedAt, refetch } = useQuery(bucketsQuery(ref));
  // Shown below the buckets, and asked for beside them.
  useQuery(relocationQuery(ref));
  const [isMaking, setMaking] = useState(false);
  const [task, setTask] = useState<{ readonly kind: BucketTask; readonly bucket: Bucket }>();
  const own = data?.filter(({ slug }) => !isHidden(slug));
  const hidden = data?.filter(({ slug, fileCount }) => isHidden(slug) && fileCount > 0) ?? [];
  const close = (): void => setTask(undefined);
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 pb-5">
        <div className="mr-auto flex gap-x-3 max-sm:flex-col sm:items-baseline">
          <h1 className="text-[22px] leading-tight font-semibold">Files</h1>
          <p role="status" className="text-[14px] text-soft">
            {data ? totalInWords(data) : <Skeleton className="w-40" />}
          </p>
        </div>
        <CopyButton
          text={curlOf({ path: proxied(ref, '/admin/storage/buckets?hidden=true') })}
          what="as curl: the buckets"
        >
          Copy as curl
        </CopyButton>
        {mayWrite && (
          <Button look="primary" onClick={() => setMaking(true)}>
            <Plus aria-hidden className="size-4" />
            New bucket
          </Button>
        )}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {error && (
          <ProblemNotice
            of={error}
            {...(data && {
              effect: `The buckets could not be refreshed. The page shows the state of ${clockTime(dataUpdatedAt)}.`,
            })}
            onRetry={() => void refetch()}
          />
        )}
        {!data && !error && <WaitingCards />}
        {own?.length === 0 && <NoBuckets onCreate={mayWrite ? () => setMaking(true) : undefined} />}
        {own && own.length > 0 && (
          <ul
            aria-label="Buckets"
            className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3"
          >
            {own.map((bucket) => (
              <BucketCard
                key={bucket.slug}
                bucket={bucket}
                onTask={mayWrite ? (kind) => setTask({ kind, bucket }) : undefined}
              />
            ))}
          </ul>
        )}
        {hidden.length > 0 && (
          <section
            aria-labelledby="without-bucket"
            className="grid grid-cols-[minmax(0,1fr)] gap-3"
          >
            <h2 id="without-bucket" className="text-[16px] font-semibold">
              Files without a bucket
            </h2>
            <ul
              aria-label="Files without a bucket"
              className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3"
            >
              {hidden.map((bucket) => (
                <BucketCard
                  key={bucket.slug}
                  bucket={bucket}
                  onTask={mayWrite ? (kind) => setTask({ kind, bucket }) : undefined}
                />
              ))}
            </ul>
          </section>
        )}
        {data && <RelocationPanel />}
      </div>
      <Suspense>
        {isMaking && <BucketDialog onClose={() => setMaking(false)} />}
        {task?.kind === 'edit' && <BucketDialog bucket={task.bucket} onClose={close} />}
        {task && task.kind !== 'edit' && (
          <DeleteBucketDialog bucket={task.bucket} kind={task.kind} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

function totalInWords(buckets: readonly Bucket[]): string {
  const files = buckets.reduce((sum, { fileCount }) => sum + fileCount, 0);
  const bytes = buckets.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  return `${counted(files, 'file')}, ${bytesInWords(bytes)}`;
}

function WaitingCards(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading the buckets"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3"
    >
      {Array.from({ length: 3 }, (_, card) => (
        <div key={card} className="grid gap-3 rounded-lg border border-line bg-surface p-4">
          <Skeleton className="w-32" />
          <Skeleton className="w-48" />
          <Skeleton className="w-24" />
        </div>
      ))}
    </div>
  );
}
