import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { useOperator } from '../../session/operator.js';
import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { Check } from '../../ui/check.js';
import { Panel } from '../../ui/panel.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { conditionQuery } from '../projects/queries.js';
import type { ProjectDetails } from './project-details.js';
import { usageQuery } from './queries.js';

const LimitsDialog = lazy(() => import('./limits-dialog.js'));

const refreshMs = 30_000;

/** How the database is at this moment, and what it takes. */
export function Health({ project }: { readonly project: ProjectDetails }): ReactNode {
  const { ref, organizationName, createdAt, idType } = project;
  const { data, error } = useQuery({ ...conditionQuery(ref), refetchInterval: refreshMs });
  const { data: usage } = useQuery(usageQuery(ref, 'day'));
  const known = (value: string | undefined): ReactNode =>
    error ? '–' : (value ?? <Skeleton className="w-16" />);
  return (
    <Panel title="Health" side={<LimitsButton projectRef={ref} />}>
      <ul className="grid gap-2.5">
        {error ? (
          <Check kind="problem" title="The database cannot be reached">
            {asProblem(error).message}
          </Check>
        ) : (
          <Check kind={data ? 'good' : 'open'} title="The database answers" />
        )}
        {data && data.databaseFullSince !== null && (
          <Check kind="problem" title="The database takes no writes">
            It is above its limit since <Time at={data.databaseFullSince} />. Make room as its
            owner, or ask an administrator of the deployment for a larger limit.
          </Check>
        )}
        {data && !data.migrations.isCurrent && (
          <Check kind="warning" title="An upgrade is due">
            It is upgraded at its next request, or with <code>rowhouse upgrade</code>.
          </Check>
        )}
      </ul>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-[14px] [&_dd]:text-right [&_dd]:tabular-nums [&_dt]:text-soft">
        <dt>Database</dt>
        <dd>{known(data && bytesInWords(data.databaseBytes))}</dd>
        <dt>Files</dt>
        <dd>
          {usage ? (
            usage.size ? (
              bytesInWords(usage.size.storageBytes)
            ) : (
              'not measured yet'
            )
          ) : (
            <Skeleton className="w-16" />
          )}
        </dd>
        <dt>Users</dt>
        <dd>{known(data && (data.users?.toLocaleString('en') ?? 'not known'))}</dd>
        <dt>Connections</dt>
        <dd>{known(data && `${data.connections.open} open, ${data.connections.active} busy`)}</dd>
        <dt>Ref</dt>
        <dd className="font-mono text-[13px] break-all">{ref}</dd>
        <dt>Organization</dt>
        <dd className="break-words">{organizationName}</dd>
        <dt>Type of user ids</dt>
        <dd>{idType === 'uuid' ? 'UUID' : 'Text'}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
    </Panel>
  );
}

/** Limits are set by administrators of the deployment alone. */
function LimitsButton({ projectRef }: { readonly projectRef: string }): ReactNode {
  const isDeploymentAdmin = useOperator().data?.operator.isDeploymentAdmin;
  const [isOpen, setOpen] = useState(false);
  if (isDeploymentAdmin === false) return null;
  return (
    <>
      <Button
        size="small"
        // Its place is kept until it is known whether it is offered.
        className={isDeploymentAdmin ? '' : 'invisible'}
        onClick={() => setOpen(true)}
      >
        Limits
      </Button>
      <Suspense>
        {isOpen && <LimitsDialog projectRef={projectRef} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
