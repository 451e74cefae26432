import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';

import { curlOf } from '../../api/curl.js';
import { asProblem } from '../../api/problem.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { Check } from '../../ui/check.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { StatusChecks } from '../project/checklist.js';
import { Failures } from '../project/failures.js';
import { FirstTable, useOffersFirstTable } from '../project/first-table.js';
import { statusQuery } from '../project/queries.js';
import { useProject } from '../project/use-project.js';
import { ownRefQuery, userCountQuery } from './queries.js';

const ConnectDialog = lazy(() => import('../project/connect-dialog.js'));

/** The home of the studio: how to reach the project, what it still needs, and what failed last. */
export function StudioPage(): ReactNode {
  const project = useProject();
  useTitle(project.name);
  const offersTable = useOffersFirstTable();
  const { dialog } = useSearch({ from: '/signed-in/projects/$ref/' });
  const navigate = useNavigate({ from: '/projects/$ref/' });
  const setDialog = (next: 'connect' | undefined): void =>
    void navigate({ search: (before) => ({ ...before, dialog: next }), resetScroll: false });
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-5">
        <h1 className="mr-auto min-w-0 text-[22px] leading-tight font-semibold break-words">
          {project.name}
        </h1>
        <div className="flex items-center gap-2">
          <CopyButton text={curlOf({ path: '/admin/session' })} what="as curl: the project">
            Copy as curl
          </CopyButton>
          <Button look="primary" onClick={() => setDialog('connect')}>
            <Plug aria-hidden className="size-4" />
            Connect
          </Button>
        </div>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <CopyField label="URL" text={project.url} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <Failures project={project} />
            {offersTable && <FirstTable />}
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <About />
            <Readiness projectRef={project.ref} />
          </div>
        </div>
      </div>
      <Suspense>
        {dialog === 'connect' && (
          <ConnectDialog project={project} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </>
  );
}

function Readiness({ projectRef }: { readonly projectRef: string }): ReactNode {
  const { data: status, error } = useQuery(statusQuery(projectRef));
  const { data: users, isLoading } = useQuery(userCountQuery);
  return (
    <Panel title="Ready for people">
      {error && !status ? (
        <ProblemNotice of={error} />
      ) : (
        <ul className="grid gap-2.5">
          {status && users !== undefined && (
            <Check kind={users > 1 ? 'good' : 'open'} title="Another user has signed up" />
          )}
          {status && !isLoading ? (
            <StatusChecks of={status} />
          ) : (
            <li>
              <Skeleton className="w-44" />
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}

function About(): ReactNode {
  const { data: project, error } = useQuery(ownRefQuery);
  const { data: users, error: countError } = useQuery(userCountQuery);
  const known = (value: string | undefined, problem: unknown): ReactNode =>
    value ?? (problem ? asProblem(problem).message : <Skeleton className="w-16" />);
  return (
    <Panel title="Project">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-[14px] [&_dd]:text-right [&_dd]:tabular-nums [&_dt]:text-soft">
        <dt>Users</dt>
        <dd>{known(users?.toLocaleString('en'), countError)}</dd>
        <dt>Ref</dt>
        <dd className="font-mono text-[13px] break-all">{known(project?.ref, error)}</dd>
        <dt>Type of user ids</dt>
        <dd>{known(project && (project.idType === 'uuid' ? 'UUID' : 'Text'), error)}</dd>
      </dl>
    </Panel>
  );
}
