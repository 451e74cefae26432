import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eraser, EllipsisVertical, Globe, Lock, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Menu } from '../../ui/menu.js';
import type { MenuEntry } from '../../ui/menu-entry.js';
import { Notice } from '../../ui/notice.js';
import { shownName } from '../../ui/shown-name.js';
import { useWasIdle } from '../../ui/when-idle.js';
import { useProject } from '../project/use-project.js';
import { emptyingQuery } from './bucket-actions.js';
import type { Bucket } from './queries.js';
import { isHidden } from './names.js';

export type BucketTask = 'edit' | 'empty' | 'delete';

interface BucketCardProps {
  readonly bucket: Bucket;
  /** Absent: the operator may not change buckets. */
  readonly onTask: ((task: BucketTask) => void) | undefined;
}

/** A bucket: who may read it, how much it has, and how much it may have. */
export function BucketCard({ bucket, onTask }: BucketCardProps): ReactNode {
  const { ref } = useProject();
  const { slug, name, fileCount, usedBytes } = bucket;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <Link
            to="/projects/$ref/files"
            params={{ ref }}
            search={{ bucket: slug }}
            className="block truncate rounded-sm text-[16px] font-semibold hover:underline"
          >
            {slug}
          </Link>
          {name !== slug && <p className="truncate text-[13px] text-soft">{shownName(name)}</p>}
        </div>
        <PublicBadge isPublic={bucket.public} />
        {onTask && (
          <span className="-mt-1.5 -mr-2">
            <Menu
              label={`Actions on the bucket ${slug}`}
              icon={<EllipsisVertical aria-hidden className="size-4" />}
              entries={entriesOf(bucket, onTask)}
            />
          </span>
        )}
      </div>
      <p className="text-[14px] text-soft">
        {counted(fileCount, 'file')}, {bytesInWords(usedBytes)}
      </p>
      <QuotaBar bucket={bucket} />
      <Emptying bucket={bucket} />
    </li>
  );
}

function entriesOf(bucket: Bucket, onTask: (task: BucketTask) => void): readonly MenuEntry[] {
  const edit = { name: 'Change', icon: <Pencil aria-hidden />, run: () => onTask('edit') };
  const empty = { icon: <Eraser aria-hidden />, isDangerous: true, run: () => onTask('empty') };
  const remove = { icon: <Trash2 aria-hidden />, isDangerous: true, run: () => onTask('delete') };
  return [
    edit,
    'line',
    { ...empty, name: 'Empty…' },
    ...(isHidden(bucket.slug) ? [] : [{ ...remove, name: 'Delete…' }]),
  ];
}

export function PublicBadge({ isPublic }: { readonly isPublic: boolean }): ReactNode {
  const Icon = isPublic ? Globe : Lock;
  return (
    <span
      className={`inline-flex h-6 shrink-0 items-center gap-1.5 rounded-md px-2 text-[12px] font-medium ${isPublic ? 'bg-warn-soft text-warn' : 'bg-sunken text-soft'}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {isPublic ? 'Public' : 'Private'}
    </span>
  );
}

/** How much of its quota a bucket has used, with uploads under way. */
export function QuotaBar({ bucket }: { readonly bucket: Bucket }): ReactNode {
  const { quotaBytes, usedBytes, reservedBytes, slug } = bucket;
  if (quotaBytes === null) return <p className="text-[13px] text-soft">No quota</p>;
  const taken = usedBytes + reservedBytes;
  const share = quotaBytes === 0 ? 1 : Math.min(1, taken / quotaBytes);
  const look = share >= 1 ? 'bg-danger' : share >= 0.9 ? 'bg-warn' : 'bg-accent';
  return (
    <div className="grid gap-1.5">
      <div
        role="meter"
        aria-label={`Quota of ${slug}`}
        aria-valuemin={0}
        aria-valuemax={quotaBytes}
        aria-valuenow={Math.min(taken, quotaBytes)}
        aria-valuetext={`${bytesInWords(taken)} of ${bytesInWords(quotaBytes)}`}
        className="h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div className={`h-full ${look}`} style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-[13px] text-soft">
        {bytesInWords(taken)} of {bytesInWords(quotaBytes)}
        {reservedBytes > 0 && `, ${bytesInWords(reservedBytes)} of it for uploads under way`}
      </p>
    </div>
  );
}

/** How far the deletion of all files of a bucket is, while it runs. */
function Emptying({ bucket }: { readonly bucket: Bucket }): ReactNode {
  const { ref } = useProject();
  // Seldom anything to show: the buckets are drawn first.
  const { data } = useQuery({ ...emptyingQuery(ref, bucket.slug), enabled: useWasIdle() });
  if (data?.state !== 'running') return null;
  return (
    <Notice kind={data.lastError === null ? 'plain' : 'warning'}>
      <p role="status">
        Emptying: {data.deletedFiles.toLocaleString('en')} of {counted(data.totalFiles, 'file')}{' '}
        deleted.
      </p>
      {data.lastError !== null && <p className="break-words">It waits: {data.lastError}</p>}
    </Notice>
  );
}
