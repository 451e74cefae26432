import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { ShowOlder, StateFilter, StateWord, useWantedState, WaitingRows } from './list-parts.js';
import { type Message, messagesQuery, messageStates } from './queries.js';

/** The mails and SMS of the last two weeks and what became of them. What they say is not kept. */
export default function MessagesPage(): ReactNode {
  const { ref } = useProject();
  useTitle('Sent messages');
  const state = useWantedState(messageStates);
  const list = useInfiniteQuery(messagesQuery(ref, state));
  const messages = list.data?.pages.flatMap((page) => page.messages) ?? [];
  const query = state === undefined ? '' : `?status=${state}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <header className="flex flex-wrap items-center gap-2">
        <div className="mr-auto">
          <h1 className="text-[20px] leading-tight font-semibold">Sent messages</h1>
          <p className="text-[14px] text-soft">
            Mails and SMS of the last 14 days. What they say is not shown: it can sign users in.
          </p>
        </div>
        <StateFilter states={messageStates} />
        <CopyButton
          text={curlOf({ path: projectPath(ref, `/api/admin/messages${query}`) })}
          what="as curl: the messages"
        >
          Copy as curl
        </CopyButton>
      </header>
      <ProblemNotice of={list.error} onRetry={() => void list.refetch()} />
      {!list.data && !list.error && <WaitingRows />}
      {list.data && messages.length === 0 && (
        <p className="text-[14px] text-soft">
          {state === undefined
            ? 'No message was sent yet. A user who asks for a code or a link makes the first one.'
            : 'No message is in this state.'}
        </p>
      )}
      <ul className="divide-y divide-line">
        {messages.map((message) => (
          <MessageItem key={message.id} of={message} />
        ))}
      </ul>
      <ShowOlder of={list} />
    </div>
  );
}

function MessageItem({ of: message }: { readonly of: Message }): ReactNode {
  const { ref } = useProject();
  const client = useQueryClient();
  const { id, channel, kind, recipient, status, attempts, lastError, nextTryAt, createdAt } =
    message;
  const retry = useMutation({
    mutationFn: () =>
      answer(projectApi(ref).POST('/api/admin/messages/{id}/retry', { params: { path: { id } } })),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['projects', ref, 'settings', 'messages'] });
      showToast({ kind: 'done', text: `The message to ${recipient} is sent again.` });
    },
  });
  const again = status === 'failed' ? 'Try again' : 'Send now';
  const mayRetry = status === 'failed' || status === 'queued';
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2.5 text-[14px]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateWord state={status} />
        <span className="min-w-0 font-medium break-all">{recipient}</span>
        <span className="grow text-soft">
          {channel === 'sms' ? 'SMS' : 'mail'}, {kind}
        </span>
        <span className="text-[13px] text-soft">
          <Time at={createdAt} />
        </span>
        {mayRetry && (
          <Button
            size="small"
            busy={retry.isPending}
            aria-label={`${again}: the message to ${recipient}`}
            onClick={() => retry.mutate()}
          >
            {again}
          </Button>
        )}
      </div>
      {lastError !== null && <p className="text-[13px] break-words text-danger">{lastError}</p>}
      {nextTryAt !== null && attempts > 0 && (
        <p className="text-[13px] text-soft">
          Next try <Time at={nextTryAt} />
        </p>
      )}
      <ProblemNotice of={retry.error} />
    </li>
  );
}
