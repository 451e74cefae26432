import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import { Pager } from '../users/pager.js';
import { bucketsKey } from './queries.js';
import {
  deliveriesPerPage,
  deliveriesQuery,
  type Delivery,
  type HookPath,
  redeliver,
} from './bucket-queries.js';

const states: Readonly<Record<Delivery['status'], readonly [name: string, look: string]>> = {
  succeeded: ['Arrived', 'bg-good-soft text-good'],
  pending: ['Waiting', 'bg-sunken text-soft'],
  dead: ['Failed', 'bg-danger-soft text-danger'],
};

/** What was sent to a webhook in the last two weeks, and what waits. */
export function Deliveries({ path }: { readonly path: HookPath }): ReactNode {
  const { ref } = useProject();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    ...deliveriesQuery(ref, path, page - 1),
    placeholderData: keepPreviousData,
  });
  return (
    <section
      aria-label="Deliveries"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-3"
    >
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton className="w-64" />}
      {data?.total === 0 && (
        <p className="text-[14px] text-soft">
          Nothing was sent in the last two weeks. A delivery appears here with the next change to a
          file.
        </p>
      )}
      <ul className="divide-y divide-line">
        {data?.data.map((delivery) => (
          <DeliveryItem key={delivery.id} path={path} delivery={delivery} />
        ))}
      </ul>
      {data && data.total > deliveriesPerPage && (
        <Pager page={page} perPage={deliveriesPerPage} total={data.total} onPage={setPage} />
      )}
    </section>
  );
}

interface DeliveryItemProps {
  readonly path: HookPath;
  readonly delivery: Delivery;
}

function DeliveryItem({ path, delivery }: DeliveryItemProps): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  const queryClient = useQueryClient();
  const { id, event, status, attempts, lastStatus, lastError, nextAttemptAt, payload } = delivery;
  const [name, look] = states[status];
  const sending = useMutation({
    mutationFn: () => redeliver(ref, path, id),
    async onSuccess() {
      await queryClient.invalidateQueries({
        queryKey: [...bucketsKey(ref), path.slug, 'webhooks'],
      });
      showToast({ kind: 'done', text: 'The message is sent again.' });
    },
  });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2.5 text-[14px]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className={`rounded-md px-2 text-[12px] leading-6 font-medium ${look}`}>{name}</span>
        <span className="mr-auto font-medium">{event}</span>
        <span className="text-[13px] text-soft">
          <Time at={delivery.createdAt} />
        </span>
        {mayWrite && status !== 'pending' && (
          <Button
            size="small"
            busy={sending.isPending}
            aria-label={`Send again: ${event} (${id})`}
            onClick={() => sending.mutate()}
          >
            {status === 'dead' ? 'Try again' : 'Send again'}
          </Button>
        )}
      </div>
      <p className="text-[13px] text-soft">
        {counted(attempts, 'try')}
        {lastStatus !== null && `, answered ${lastStatus}`}
        {nextAttemptAt !== null && (
          <>
            , next try <Time at={nextAttemptAt} />
          </>
        )}
      </p>
      {lastError !== null && <p className="text-[13px] break-words text-danger">{lastError}</p>}
      <ProblemNotice of={sending.error} />
      <details>
        <summary className="cursor-pointer rounded-sm text-[13px] text-soft">Message</summary>
        <pre
          tabIndex={0}
          role="region"
          aria-label={`What delivery ${id} says`}
          className="mt-1 max-h-64 overflow-auto rounded-md bg-sunken p-2 text-[12px]"
        >
          {JSON.stringify(payload, null, 2)}
        </pre>
      </details>
    </li>
  );
}
