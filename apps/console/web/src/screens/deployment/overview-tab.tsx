import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ProblemNotice } from '../../ui/problem-notice.js';
import { clockTime } from '../../ui/time-in-words.js';
import { PartsPanel } from './parts-panel.js';
import { ProjectsPanel } from './projects-panel.js';
import { deploymentQuery } from './queries.js';
import { DatabasePanel, DiskPanel, ProcessPanel } from './server-panels.js';

/** Whether the deployment works, and what it consists of. */
export function OverviewTab(): ReactNode {
  const { data, error, dataUpdatedAt, refetch } = useQuery(deploymentQuery);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ProblemNotice
        of={error}
        {...(data && {
          effect: `The page could not be refreshed. It shows the state of ${clockTime(dataUpdatedAt)}.`,
        })}
        onRetry={() => void refetch()}
      />
      {!data && !error && <Waiting />}
      {data && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
          <PartsPanel of={data} />
          <ProjectsPanel of={data.fleet} />
          <ProcessPanel of={data} />
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
            <DatabasePanel of={data.database} />
            <DiskPanel of={data} />
          </div>
        </div>
      )}
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading"
      className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2"
    >
      {['parts', 'projects', 'process', 'database'].map((name) => (
        <div key={name} className="h-56 rounded-lg border border-line bg-surface" />
      ))}
    </div>
  );
}
