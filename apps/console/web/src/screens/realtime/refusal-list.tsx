import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { useProject } from '../project/use-project.js';
import { type Refusal, refusalsQuery } from './queries.js';
import { refusalTitle, refusedClient } from './refusal-words.js';

/** Who was refused what, and why. */
export function RefusalList(): ReactNode {
  const { ref } = useProject();
  const { data, error, refetch } = useQuery(refusalsQuery(ref));
  return (
    <Panel title="Refused and ended lately">
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton className="w-48" />}
      {data?.refusals.length === 0 && (
        <p className="text-[14px] text-soft">
          Nothing was refused since this process began. Connections and joins that are refused
          appear here with the reason.
        </p>
      )}
      {data && data.refusals.length > 0 && (
        <ul
          aria-label="Refusals"
          tabIndex={0}
          className="max-h-[32rem] divide-y divide-line overflow-y-auto"
        >
          {data.refusals.map((refusal) => (
            <RefusalItem key={keyOf(refusal)} of={refusal} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RefusalItem({ of: refusal }: { readonly of: Refusal }): ReactNode {
  const { code, message, count, at } = refusal;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 py-2 text-[14px]">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 grow font-medium break-words">{refusalTitle(refusal)}</span>
        <span className="text-[13px] text-soft">
          {count > 1 && `${count.toLocaleString('en')} times, last `}
          <Time at={at} isInRow />
        </span>
      </p>
      <p className="break-words">
        <code className="text-[13px] text-danger">{code}</code> {message}
      </p>
      <p className="text-[13px] break-all text-soft">{refusedClient(refusal)}</p>
    </li>
  );
}

const keyOf = ({ kind, event, topic, code, client }: Refusal): string =>
  JSON.stringify([kind, event, topic, code, client]);
