import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { useProject } from '../project/use-project.js';
import { ShowOlder, WaitingRows } from './list-parts.js';
import { MailView } from './mail-view.js';
import { inboxQuery, mailQuery } from './queries.js';

/** Where mails go while none is kept. */
const elsewhere = {
  smtp: 'Mails go to the mail server of the project now, and none is kept here.',
  hook: 'The hook for messages takes the mails of the project now, and none is kept here.',
  none: 'This deployment keeps no mails, and the project has no mail server: none can be sent.',
} as const;

/** The mails of a project without a mail server, with their codes and links. */
export default function InboxPage(): ReactNode {
  const { ref } = useProject();
  useTitle('Development inbox');
  const list = useInfiniteQuery(inboxQuery(ref));
  const mails = list.data?.pages.flatMap((page) => page.mails) ?? [];
  const { total = 0, transport } = list.data?.pages[0] ?? {};
  const [open, setOpen] = useState<string>();
  const [isEmptying, setEmptying] = useState(false);
  const path = projectPath(ref, '/api/admin/inbox');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <header className="flex flex-wrap items-center gap-2">
        <div className="mr-auto">
          <h1 className="text-[20px] leading-tight font-semibold">Development inbox</h1>
          <p className="text-[14px] text-soft">
            While the project has no mail server, its last 200 mails are kept here instead of sent.
          </p>
        </div>
        <CopyButton text={curlOf({ path })} what="as curl: the inbox">
          Copy as curl
        </CopyButton>
        {total > 0 && <Button onClick={() => setEmptying(true)}>Delete all</Button>}
      </header>
      <ProblemNotice of={list.error} onRetry={() => void list.refetch()} />
      {!list.data && !list.error && <WaitingRows />}
      {transport !== undefined && transport !== 'inbox' && (
        <Notice kind="plain">{elsewhere[transport ?? 'none']}</Notice>
      )}
      {transport === 'inbox' && mails.length === 0 && (
        <p className="text-[14px] text-soft">
          No mail was kept. Sign up in your application with an address of your own, or send a test
          mail under “SMTP”; it appears here within 15 seconds.
        </p>
      )}
      {mails.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
              {mails.map(({ id, recipient, subject, created_at: at }) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-pressed={id === open}
                    onClick={() => setOpen(id)}
                    className="grid w-full grid-cols-[minmax(0,1fr)] px-3 py-2 text-left text-[14px] -outline-offset-2 hover:bg-hover aria-pressed:bg-accent-soft"
                  >
                    <span className="truncate font-medium">{subject}</span>
                    <span className="flex flex-wrap justify-between gap-x-3 text-[13px] text-soft">
                      <span className="min-w-0 truncate">{recipient}</span>
                      <Time at={at} isInRow />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            <ShowOlder of={list} />
          </div>
          {open === undefined ? (
            <p className="text-[14px] text-soft">Choose a mail to read it.</p>
          ) : (
            <OpenMail id={open} />
          )}
        </div>
      )}
      {isEmptying && (
        <EmptyDialog
          total={total}
          onClose={() => setEmptying(false)}
          onDone={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

function OpenMail({ id }: { readonly id: string }): ReactNode {
  const { ref } = useProject();
  const { data: mail, error } = useQuery(mailQuery(ref, id));
  return (
    <Panel title={mail ? `To ${mail.recipient}` : 'Mail'}>
      <ProblemNotice of={error} />
      {mail ? <MailView {...mail} /> : !error && <Skeleton className="w-56" />}
    </Panel>
  );
}

interface EmptyProps {
  readonly total: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function EmptyDialog({ total, onClose, onDone }: EmptyProps): ReactNode {
  const { ref } = useProject();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const empty = useMutation({
    mutationFn: () => answer(projectApi(ref).DELETE('/api/admin/inbox')),
    async onSuccess() {
      onDone();
      await client.invalidateQueries({ queryKey: inboxQuery(ref).queryKey });
      onClose();
    },
  });
  return (
    <Dialog
      title="Delete every kept mail"
      about={`${counted(total, 'mail')} with their codes and links. They cannot be brought back.`}
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <Field
          label="Type “delete” to confirm"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <ProblemNotice of={empty.error} effect="Nothing was deleted." />
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          disabled={typed !== 'delete'}
          busy={empty.isPending}
          onClick={() => empty.mutate()}
        >
          Delete all
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
