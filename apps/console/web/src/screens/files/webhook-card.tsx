import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, KeyRound, Pencil, Power, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Menu } from '../../ui/menu.js';
import type { MenuEntry } from '../../ui/menu-entry.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import {
  changeWebhook,
  deleteWebhook,
  rotateSecret,
  testWebhook,
  type Webhook,
  webhooksQuery,
} from './bucket-queries.js';
import { Deliveries } from './deliveries.js';
import { NewSecret, WebhookDialog } from './webhook-dialog.js';

interface WebhookCardProps {
  readonly slug: string;
  readonly hook: Webhook;
}

/** A webhook: where it goes, whether it is on, a call to try it, and what was sent. */
export function WebhookCard({ slug, hook }: WebhookCardProps): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  const mayManage = useMay('secrets.manage');
  const queryClient = useQueryClient();
  const path = { slug, id: hook.id };
  const [dialog, setDialog] = useState<'change' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: webhooksQuery(ref, slug).queryKey });
  const testing = useMutation({ mutationFn: async () => (await testWebhook(ref, path)).data });
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch(showProblem);
    await refresh();
  };
  const rotate = async (): Promise<void> => setSecret((await rotateSecret(ref, path)).data.secret);
  const turn = (): Promise<unknown> => changeWebhook(ref, path, { active: !hook.active });
  const entries: readonly MenuEntry[] = [
    ...(mayManage
      ? [
          { name: 'Change', icon: <Pencil aria-hidden />, run: () => setDialog('change') },
          {
            name: hook.active ? 'Turn off' : 'Turn on',
            icon: <Power aria-hidden />,
            run: () => void change(turn),
          },
          {
            name: 'Give it a new secret',
            icon: <KeyRound aria-hidden />,
            run: () => void change(rotate),
          },
          'line' as const,
        ]
      : []),
    {
      name: 'Delete…',
      icon: <Trash2 aria-hidden />,
      isDangerous: true,
      run: () => setDialog('delete'),
    },
  ];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 grow basis-56">
          <p className="font-medium break-all">{hook.url}</p>
          <p className="text-[13px] text-soft">
            {hook.active ? 'On' : 'Off'}: {hook.events.join(', ')}
            {hook.previousSecretUntil !== null && (
              <>
                ; the previous secret also signs until <Time at={hook.previousSecretUntil} />
              </>
            )}
          </p>
        </div>
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-label={`Deliveries to ${hook.url}`}
          onClick={() => setOpen(!isOpen)}
        >
          Deliveries
        </Button>
        {mayWrite && (
          <>
            <Button
              size="small"
              busy={testing.isPending}
              aria-label={`Send a test to ${hook.url}`}
              onClick={() => testing.mutate()}
            >
              Send a test
            </Button>
            <span className="-my-1">
              <Menu
                label={`Actions on ${hook.url}`}
                icon={<Ellipsis aria-hidden className="size-4" />}
                entries={entries}
              />
            </span>
          </>
        )}
      </div>
      <ProblemNotice of={testing.error} />
      {testing.data && <Outcome of={testing.data} />}
      {isOpen && <Deliveries path={path} />}
      {dialog === 'change' && (
        <WebhookDialog slug={slug} hook={hook} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'delete' && (
        <DeleteWebhook
          hook={hook}
          onDelete={async () => {
            await deleteWebhook(ref, path);
            await refresh();
            showToast({ kind: 'done', text: 'The webhook is deleted.' });
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {secret !== undefined && <NewSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </li>
  );
}

interface OutcomeProps {
  readonly of: {
    readonly isDelivered: boolean;
    readonly status?: number;
    readonly error?: string;
    readonly durationMs: number;
  };
}

/** What came of a test. */
function Outcome({ of: { isDelivered, status, error, durationMs } }: OutcomeProps): ReactNode {
  const answered = status === undefined ? '' : `It answered with ${status}. `;
  return (
    <Notice kind={isDelivered ? 'good' : 'problem'}>
      {isDelivered ? 'The test arrived. ' : 'The test did not arrive. '}
      {answered}
      {error !== undefined && `${error}. `}
      It took {Math.round(durationMs)} ms.
    </Notice>
  );
}

interface DeleteWebhookProps {
  readonly hook: Webhook;
  readonly onDelete: () => Promise<void>;
  readonly onClose: () => void;
}

function DeleteWebhook({ hook, onDelete, onClose }: DeleteWebhookProps): ReactNode {
  const deleting = useMutation({ mutationFn: onDelete, onSuccess: onClose });
  return (
    <Dialog title="Delete the webhook?" role="alertdialog" onClose={onClose}>
      <DialogBody>
        <p className="text-[14px] break-words">
          {hook.url} is not called any more. Its deliveries, also those that wait, go with it.
        </p>
        <ProblemNotice of={deleting.error} />
      </DialogBody>
      <DialogButtons>
        <Button autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" busy={deleting.isPending} onClick={() => deleting.mutate()}>
          Delete
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
