import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { ShowOlder, StateFilter, StateWord, useWantedState, WaitingRows } from './list-parts.js';
import { deliveriesQuery, deliveryStates, type Delivery } from './queries.js';

/** The calls of hooks, newest first; an event whose tries have all failed is sent again from here. */
export default function DeliveriesTab(): ReactNode {
  const { ref } = useProject();
  const state = useWantedState(deliveryStates);
  const list = useInfiniteQuery(deliveriesQuery(ref, state));
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const query = state === undefined ? '' : `?status=${state}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <StateFilter states={deliveryStates} />
        <CopyButton
          text={curlOf({
            path: projectPath(ref, `/api/admin/hooks/deliveries${query}`),
          })}
          what="as curl: the deliveries"
        >
          Copy as curl
        </CopyButton>
      </div>
      <ProblemNotice of={list.error} onRetry={() => void list.refetch()} />
      {!list.data && !list.error && <WaitingRows />}
      {list.data && deliveries.length === 0 && (
        <p className="text-[14px] text-soft">
          {state === undefined
            ? 'No hook was called yet. Turn one on under “Settings”; each call appears here.'
            : 'No call of a hook is in this state.'}
        </p>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {deliveries.map((delivery) => (
          <DeliveryItem key={delivery.id} of={delivery} />
        ))}
      </ul>
      <ShowOlder of={list} />
    </div>
  );
}

function DeliveryItem({ of: delivery }: { readonly of: Delivery }): ReactNode {
  const { ref } = useProject();
  const client = useQueryClient();
  const { id, hook, target, status, attempts, responseStatus, error, durationMs, payload } =
    delivery;
  const retry = useMutation({
    mutationFn: () =>
      answer(
        projectApi(ref).POST('/api/admin/hooks/deliveries/{id}/retry', {
          params: { path: { id } },
        }),
      ),
    async onSuccess() {
      const queryKey = ['projects', ref, 'settings', 'deliveries'];
      await client.invalidateQueries({ queryKey });
      showToast({ kind: 'done', text: 'The event is sent again.' });
    },
  });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-lg border border-line bg-surface p-3 text-[14px]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateWord state={status} />
        <span className="font-medium">{hook}</span>
        <span className="min-w-0 grow break-all text-soft">{target}</span>
        <span className="text-[13px] text-soft">
          <Time at={delivery.createdAt} />
        </span>
        {status === 'dead' && (
          <Button
            size="small"
            busy={retry.isPending}
            aria-label={`Try again: the event ${payload.type} (${id})`}
            onClick={() => retry.mutate()}
          >
            Try again
          </Button>
        )}
      </div>
      <p className="text-[13px] text-soft">
        {counted(attempts, 'try')}
        {responseStatus !== null && `, answered ${responseStatus}`}
        {durationMs !== null && ` in ${durationMs} ms`}
        {delivery.nextAttemptAt !== null && (
          <>
            , next try <Time at={delivery.nextAttemptAt} />
          </>
        )}
      </p>
      {error !== null && <p className="text-[13px] break-words text-danger">{error}</p>}
      <ProblemNotice of={retry.error} />
      <details>
        <summary className="cursor-pointer rounded-sm text-[13px] text-soft">
          {payload.type}
        </summary>
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
