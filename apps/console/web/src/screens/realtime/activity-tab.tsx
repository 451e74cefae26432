import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useProject } from '../project/use-project.js';
import { type Stats, statsQuery, type Topic, topicsPerPage, topicsQuery } from './queries.js';
import { RefusalList } from './refusal-list.js';
import { useChangeSearch } from './use-change-search.js';

/** What happens in the channels now, and what was refused. */
export function ActivityTab(): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Figures />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
        <Topics />
        <RefusalList />
      </div>
      <p className="text-[13px] text-soft">
        With several API processes, these are figures of the process that answers. Counters begin
        again when it does.
      </p>
    </div>
  );
}

const figures = [
  ['connections', 'Connections'],
  ['channels', 'Channels'],
  ['rooms', 'Topics'],
  ['changes', 'Changes'],
  ['messages', 'Messages'],
  ['framesSent', 'Frames sent'],
  ['framesDropped', 'Left out'],
  ['lagMs', 'Behind the database'],
] as const satisfies readonly (readonly [keyof Stats, string])[];

function Figures(): ReactNode {
  const { ref } = useProject();
  const { data, error, refetch } = useQuery(statsQuery(ref));
  return (
    <>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      <dl
        aria-busy={!data && !error}
        className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4"
      >
        {figures.map(([field, name]) => (
          <div key={field} className="bg-surface px-4 py-3">
            <dt className="text-[13px] text-soft">{name}</dt>
            <dd className="text-[20px] font-semibold tabular-nums">
              {data ? figure(field, data[field]) : <Skeleton className="w-12" />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const figure = (field: keyof Stats, value: number): string =>
  `${value.toLocaleString('en')}${field === 'lagMs' ? ' ms' : ''}`;

function Topics(): ReactNode {
  const { ref } = useProject();
  const { page: asked = 1 } = useSearch({ from: '/signed-in/projects/$ref/realtime' });
  const page = Math.max(1, Math.floor(asked));
  const change = useChangeSearch();
  const { data, error } = useQuery(topicsQuery(ref, page));
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / topicsPerPage));
  return (
    <Panel
      title="Topics"
      side={data && <span className="text-[13px] text-soft">{counted(data.total, 'topic')}</span>}
    >
      <ProblemNotice of={error} />
      {!data && !error && <Skeleton className="w-48" />}
      {data?.total === 0 && (
        <p className="text-[14px] text-soft">
          No client has joined a topic. Join one in “Inspector”, or from an app with
          channel(&#39;room&#39;).subscribe().
        </p>
      )}
      {data && data.channels.length > 0 && (
        <ul aria-label="Topics" className="divide-y divide-line">
          {data.channels.map((topic) => (
            <TopicItem key={`${topic.private} ${topic.topic}`} of={topic} />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <div className="flex items-center gap-2 text-[13px]">
          <Button
            size="small"
            disabled={page <= 1}
            onClick={() => change({ page: page > 2 ? page - 1 : undefined })}
          >
            Previous page
          </Button>
          <Button size="small" disabled={page >= pages} onClick={() => change({ page: page + 1 })}>
            Next page
          </Button>
          <span className="text-soft">
            Page {page} of {pages}
          </span>
        </div>
      )}
    </Panel>
  );
}

function TopicItem({
  of: { topic, private: isPrivate, connections, present },
}: {
  readonly of: Topic;
}): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2 text-[14px]">
      <span className="flex min-w-0 grow items-center gap-1.5 font-medium break-all">
        {topic}
        {isPrivate && (
          <>
            <Lock aria-hidden className="size-3.5 shrink-0 text-soft" />
            <span className="sr-only">(private)</span>
          </>
        )}
      </span>
      <span className="text-[13px] text-soft">
        {counted(connections, 'connection')}, {present} present
      </span>
    </li>
  );
}
