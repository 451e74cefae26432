import type { ReactNode } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Sparkline } from '../../ui/sparkline.js';
import { Time } from '../../ui/time.js';
import { sizeOf, type Usage } from './usage.js';

interface UsageProps {
  /** Undefined: not known, or not yet. */
  readonly of: Usage | undefined;
  /** The figures are on their way. */
  readonly isWaiting: boolean;
}

/** The requests of the last hour as a picture, with their number and that of the errors. */
export function Requests({ of: usage, isWaiting }: UsageProps): ReactNode {
  if (!usage) return isWaiting ? <Skeleton className="w-24" /> : null;
  const { requests, serverErrors, requestCount, errorCount } = usage;
  if (requestCount === 0) return <span className="text-[13px]">none</span>;
  const words = `${counted(requestCount, 'request')} in the last hour, ${counted(errorCount, 'error')}`;
  return (
    <span className="flex min-w-0 items-center gap-2" title={words}>
      <Sparkline values={requests} bad={serverErrors} className="w-20 shrink-0" />
      <span aria-hidden className="truncate text-[13px] tabular-nums">
        {inShort(requestCount)}
        {errorCount > 0 && <span className="text-danger"> · {inShort(errorCount)}</span>}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** What database and files take together. */
export function Size({ of: usage, isWaiting }: UsageProps): ReactNode {
  if (!usage) return isWaiting ? <Skeleton className="w-12" /> : null;
  const bytes = sizeOf(usage);
  if (bytes === undefined) return <Unknown why="not measured yet" />;
  const { databaseBytes, storageBytes } = usage;
  const parts = `Database ${bytesInWords(databaseBytes ?? 0)}, files ${bytesInWords(storageBytes ?? 0)}`;
  return <span title={parts}>{bytesInWords(bytes)}</span>;
}

export function LastRequest({ of: usage, isWaiting }: UsageProps): ReactNode {
  if (!usage) return isWaiting ? <Skeleton className="w-16" /> : null;
  if (usage.lastRequestAt === null) return <Unknown why="no request in 30 days" />;
  return <Time isInRow at={usage.lastRequestAt} />;
}

function Unknown({ why }: { readonly why: string }): ReactNode {
  return (
    <span title={why}>
      <span aria-hidden>–</span>
      <span className="sr-only">{why}</span>
    </span>
  );
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const inShort = (count: number): string => short.format(count);
