import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { type ProjectUsage, usageQuery } from './queries.js';
import { type Span, spans } from './spans.js';
import { UsageChart } from './usage-chart.js';

interface UsagePanelProps {
  readonly projectRef: string;
  readonly span: Span;
  /** What a project without requests does first. */
  readonly first: ReactNode;
  readonly onSpan: (span: Span) => void;
  readonly onConnect: () => void;
}

const names: Readonly<Record<Span, string>> = { hour: 'Hour', day: 'Day', month: '30 days' };

/** What the project was used for, in figures and over time. */
export function UsagePanel(props: UsagePanelProps): ReactNode {
  const { projectRef, span, first, onSpan, onConnect } = props;
  const { data, error } = useQuery(usageQuery(projectRef, span));
  return (
    <Panel
      title="Usage"
      side={
        <div role="group" aria-label="Time" className="flex gap-1">
          {spans.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === span}
              onClick={() => onSpan(each)}
              className={`h-7 rounded-md px-2.5 text-[13px] font-medium ${each === span ? 'bg-accent-soft text-accent' : 'text-soft hover:bg-hover hover:text-ink'}`}
            >
              {names[each]}
            </button>
          ))}
        </div>
      }
    >
      {error && !data ? <ProblemNotice of={error} /> : <Figures of={data} />}
      {data &&
        data.total.requests === 0 &&
        (first || (
          <div className="grid h-48 place-content-center justify-items-center gap-2 rounded-md border border-dashed border-line-strong/60 px-4 text-center text-[14px] text-soft">
            <p>No request in this time.</p>
            <Button onClick={onConnect}>See how to connect</Button>
          </div>
        ))}
      {data && data.total.requests > 0 && <UsageChart usage={data} />}
      {!data && <div aria-hidden className="h-48" />}
    </Panel>
  );
}

function Figures({ of: usage }: { readonly of: ProjectUsage | undefined }): ReactNode {
  const total = usage?.total;
  const figures = [
    ['Requests', total && inWords(total.requests)],
    ['Refused (4xx)', total && inWords(total.clientErrors)],
    ['Failed (5xx)', total && inWords(total.serverErrors)],
    ['95% within', total && timeInWords(total.p95Ms)],
    ['Sent', total && bytesInWords(total.bytesSent)],
    ['Sign-ins', total && inWords(total.signIns)],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 xl:grid-cols-6">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-[13px] text-soft">{name}</dt>
          <dd
            className={`text-[17px] font-semibold tabular-nums ${name === 'Failed (5xx)' && total && total.serverErrors > 0 ? 'text-danger' : ''}`}
          >
            {value ?? <Skeleton className="w-12" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const inWords = (count: number): string => count.toLocaleString('en');

function timeInWords(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
