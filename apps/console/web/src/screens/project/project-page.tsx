import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { exactTime } from '../../ui/time-in-words.js';
import { ProjectMenu } from '../projects/project-menu.js';
import { Status } from '../projects/status.js';
import { Checklist } from './checklist.js';
import { Failures } from './failures.js';
import { FirstTable, useOffersFirstTable } from './first-table.js';
import { Health } from './health.js';
import type { ProjectDetails } from './project-details.js';
import { StudioLink } from './studio-link.js';
import { usageQuery } from './queries.js';
import { UsagePanel } from './usage-panel.js';
import { useProject } from './use-project.js';

const ConnectDialog = lazy(() => import('./connect-dialog.js'));
const DeleteDialog = lazy(() => import('../projects/delete-dialog.js'));

/** The home of a project: how to reach it, how it is, and what it still needs. */
export function ProjectPage(): ReactNode {
  const project = useProject();
  useTitle(project.name);
  const { dialog, over = 'day' } = useSearch({ from: '/signed-in/projects/$ref/' });
  const navigate = useNavigate({ from: '/projects/$ref/' });
  const [isDeleting, setDeleting] = useState(false);
  const offersTable = useOffersFirstTable();
  const { data: usage, error: usageError } = useQuery(usageQuery(project.ref, over));
  const isUsageEmpty = usage?.total.requests === 0;
  const { ref, name, url, status, studioUrl } = project;
  const isReachable = status === 'active' || status === 'paused';
  const setDialog = (next: 'connect' | undefined): void =>
    void navigate({ search: (before) => ({ ...before, dialog: next }), resetScroll: false });
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-5">
        <h1 className="min-w-0 text-[22px] leading-tight font-semibold break-words">{name}</h1>
        <span className="mr-auto">
          <Status of={project} />
        </span>
        <div className="flex flex-wrap items-center gap-1 sm:gap-2">
          <CopyButton text={curlOf({ path: projectPath(ref) })} what="as curl: the project">
            Copy as curl
          </CopyButton>
          {status === 'active' && studioUrl !== null && <StudioLink url={studioUrl} />}
          {isReachable && (
            <Button look="primary" className="max-sm:px-2.5" onClick={() => setDialog('connect')}>
              <Plug aria-hidden className="size-4" />
              Connect
            </Button>
          )}
          <ProjectMenu project={project} onDelete={() => setDeleting(true)} />
        </div>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <StateNotice of={project} />
        <CopyField label="URL" text={url} />
        {isReachable && (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <UsagePanel
                projectRef={ref}
                span={over}
                // In the place of the chart, or below: it is known late, and moves nothing.
                first={
                  offersTable && (
                    <FirstTable>
                      <Button onClick={() => setDialog('connect')}>See how to connect</Button>
                    </FirstTable>
                  )
                }
                onConnect={() => setDialog('connect')}
                onSpan={(next) =>
                  void navigate({
                    search: (before) => ({ ...before, over: next === 'day' ? undefined : next }),
                    resetScroll: false,
                  })
                }
              />
              <Failures project={project} />
              {offersTable && !isUsageEmpty && (usage ?? usageError) && <FirstTable />}
            </div>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <Health project={project} />
              <Checklist project={project} />
            </div>
          </div>
        )}
      </div>
      <Suspense>
        {dialog === 'connect' && isReachable && (
          <ConnectDialog project={project} onClose={() => setDialog(undefined)} />
        )}
        {isDeleting && <DeleteDialog project={project} onClose={() => setDeleting(false)} />}
      </Suspense>
    </>
  );
}

function StateNotice({ of: { status, deleteAt } }: { readonly of: ProjectDetails }): ReactNode {
  if (deleteAt !== null)
    return (
      <Notice kind="problem">
        It is deleted, and removed for good on {exactTime(deleteAt)}. It can be restored until then.
      </Notice>
    );
  if (status === 'paused')
    return (
      <Notice kind="warning">It is paused: its requests answer 503 until it is resumed.</Notice>
    );
  if (status === 'creating')
    return <Notice kind="plain">It is being made, and is ready in a moment.</Notice>;
  return null;
}
