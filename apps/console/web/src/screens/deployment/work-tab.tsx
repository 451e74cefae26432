import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Choice } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { type Operation, retryOperation, workQuery } from './queries.js';
import { useChangeSearch, useDeploymentSearch, workStates } from './search.js';

const kindNames: Readonly<Record<Operation['kind'], string>> = {
  create: 'Creation',
  delete: 'Deletion',
  migrate: 'Migration to this release',
  upgrade: 'Upgrade by rowhouse upgrade',
  sweep: 'Removal of expired data',
  'repair-logins': 'Repair of database logins',
};

const looks: Readonly<Record<Operation['state'], string>> = {
  waiting: 'bg-sunken text-soft',
  running: 'bg-accent-soft text-accent',
  failed: 'bg-danger-soft text-danger',
  done: 'bg-good-soft text-good',
  undone: 'bg-sunken text-soft',
};

/** The work on projects that runs, waits or has failed, with the next try on request. */
export function WorkTab(): ReactNode {
  const { state } = useDeploymentSearch();
  const change = useChangeSearch();
  const query = useInfiniteQuery(workQuery(state));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const operations = data?.pages.flatMap((page) => page.operations) ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto max-w-prose text-[14px] text-soft">
          Creations, deletions, migrations and sweeps of projects. What fails is tried again by
          itself.
        </p>
        <Choice
          label="State"
          isBare
          className="max-w-44"
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ state: value === '' ? undefined : value }, true)
          }
        >
          <option value="">Not finished</option>
          {workStates.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Choice>
      </div>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && (
        <div role="group" aria-busy aria-label="Loading" className="grid gap-3">
          <Skeleton className="w-64" />
          <Skeleton className="w-52" />
        </div>
      )}
      {data && operations.length === 0 && (
        <p className="flex items-center gap-2 rounded-lg border border-dashed border-line px-4 py-8 text-[14px] text-soft">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
          {state === undefined
            ? 'No work waits, and none has failed.'
            : `No work is ${state}. Finished work is kept for 14 days.`}
        </p>
      )}
      {operations.length > 0 && (
        <ul
          aria-label="Work on projects"
          className="divide-y divide-line rounded-lg border border-line bg-surface"
        >
          {operations.map((operation) => (
            <Work key={operation.id} of={operation} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          className="justify-self-start"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </div>
  );
}

function Work({ of: operation }: { readonly of: Operation }): ReactNode {
  const { id, kind, ref, state, step, attempts, lastError, since, nextTryAt, finishedAt } =
    operation;
  const client = useQueryClient();
  const retrying = useMutation({
    mutationFn: () => retryOperation(id),
    onSuccess: () =>
      showToast({ kind: 'done', text: `${kindNames[kind]} of ${ref}: the next try is due now.` }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deployment'] }),
  });
  const mayRetry = finishedAt === null && state !== 'running' && kind !== 'upgrade';
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow basis-64 text-[14px]">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{kindNames[kind]}</span>
          <Link
            to="/projects/$ref"
            params={{ ref }}
            className="font-mono text-[13px] break-all text-accent underline underline-offset-2"
          >
            {ref}
          </Link>
          <span className={`rounded-sm px-1.5 text-[12px] font-medium ${looks[state]}`}>
            {state}
          </span>
        </p>
        <p className="text-[13px] text-soft">
          since <Time at={since} /> · {counted(attempts, 'attempt')}
          {step !== null && ` · ${step}`}
          {nextTryAt !== null && (
            <>
              {' '}
              · next try <Time at={nextTryAt} />
            </>
          )}
          {finishedAt !== null && (
            <>
              {' '}
              · finished <Time at={finishedAt} />
            </>
          )}
        </p>
        {lastError !== null && <p className="text-[13px] break-words text-danger">{lastError}</p>}
        {kind === 'upgrade' && finishedAt === null && state !== 'running' && (
          <p className="text-[13px] text-soft">
            Run <code>rowhouse upgrade --resume</code> on the server to try it again.
          </p>
        )}
        <ProblemNotice of={retrying.error} />
      </div>
      {mayRetry && (
        <Button
          size="small"
          busy={retrying.isPending}
          aria-label={`Try again now: ${kindNames[kind]} of ${ref}`}
          onClick={() => retrying.mutate()}
        >
          Try again now
        </Button>
      )}
    </li>
  );
}
