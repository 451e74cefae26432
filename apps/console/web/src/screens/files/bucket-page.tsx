import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { useMay, useProject } from '../project/use-project.js';
import { PublicBadge } from './bucket-card.js';
import { isHidden } from './names.js';
import { WaitingRows } from './empty.js';
import { FilesTab } from './files-tab.js';
import { type Bucket, bucketsQuery } from './queries.js';
import { type Part, parts, readPart, useSetSearch } from './search.js';

const AccessTab = lazy(() => import('./access-tab.js'));
const TokensTab = lazy(() => import('./tokens-tab.js'));
const WebhooksTab = lazy(() => import('./webhooks-tab.js'));

/** A bucket: its files, and who and what has to do with them. */
export function BucketPage({ slug }: { readonly slug: string }): ReactNode {
  const { ref } = useProject();
  const search = useSearch({ from: '/signed-in/projects/$ref/files' });
  const setSearch = useSetSearch();
  const mayManageTokens = useMay('secrets.manage');
  const { data, error, refetch } = useQuery(bucketsQuery(ref));
  const bucket = data?.find((each) => each.slug === slug);
  const offered = (['files', 'access', 'tokens', 'webhooks'] as const).filter(
    (part) => part === 'files' || (!isHidden(slug) && (part !== 'tokens' || mayManageTokens)),
  );
  const wanted = readPart(search.part);
  const open = offered.find((part) => part === wanted) ?? 'files';
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-4">
        <Link
          to="/projects/$ref/files"
          params={{ ref }}
          search={{}}
          aria-label="All buckets"
          className="-ml-2 inline-flex size-9 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="min-w-0 text-[22px] leading-tight font-semibold break-all">{slug}</h1>
        {bucket && <PublicBadge isPublic={bucket.public} />}
        <p className="text-[14px] text-soft">
          {bucket ? contentInWords(bucket) : !error && <Skeleton className="w-40" />}
        </p>
      </header>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && <WaitingRows label="Loading the bucket" />}
      {data && !bucket && (
        <Notice kind="plain">
          There is no bucket {slug}. It may have been deleted.{' '}
          <Link to="/projects/$ref/files" params={{ ref }} search={{}} className="underline">
            Show all buckets
          </Link>
        </Notice>
      )}
      {bucket && (
        <Tabs
          label="Parts of the bucket"
          open={parts[open]}
          onOpen={(name) => {
            const part = offered.find((each) => parts[each] === name);
            setSearch({ part: part === 'files' ? undefined : part });
          }}
          tabs={offered.map((part) => ({
            name: parts[part],
            content: (
              <Suspense
                fallback={<WaitingRows label={`Loading the ${parts[part].toLowerCase()}`} />}
              >
                <PartView part={part} bucket={bucket} />
              </Suspense>
            ),
          }))}
        />
      )}
    </>
  );
}

function PartView({ part, bucket }: { readonly part: Part; readonly bucket: Bucket }): ReactNode {
  switch (part) {
    case 'files':
      return <FilesTab bucket={bucket} />;
    case 'access':
      return <AccessTab bucket={bucket} />;
    case 'tokens':
      return <TokensTab bucket={bucket} />;
    case 'webhooks':
      return <WebhooksTab bucket={bucket} />;
  }
}

function contentInWords({ fileCount, usedBytes, quotaBytes }: Bucket): string {
  const quota = quotaBytes === null ? '' : ` of ${bytesInWords(quotaBytes)}`;
  return `${counted(fileCount, 'file')}, ${bytesInWords(usedBytes)}${quota}`;
}
