import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { ShownOnce } from '../users/shown-once.js';
import { changeWebhook, createWebhook, type Webhook, webhooksQuery } from './bucket-queries.js';

const events = ['uploaded', 'copied', 'moved', 'deleted'] as const;

interface WebhookDialogProps {
  readonly slug: string;
  /** Absent: a new webhook. */
  readonly hook?: Webhook;
  readonly onClose: () => void;
}

/** Makes a webhook, whose secret is shown once, or changes one. */
export function WebhookDialog({ slug, hook, onClose }: WebhookDialogProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState<readonly string[]>(hook?.events ?? ['uploaded']);
  const [isActive, setActive] = useState(hook?.active ?? true);
  const [secret, setSecret] = useState<string>();
  const saving = useMutation({
    mutationFn: async (url: string) => {
      const body = {
        url,
        events: events.filter((event) => wanted.includes(event)),
        active: isActive,
      };
      if (hook) await changeWebhook(ref, { slug, id: hook.id }, body);
      else setSecret((await createWebhook(ref, slug, body)).data.secret);
    },
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: webhooksQuery(ref, slug).queryKey });
      if (!hook) return;
      onClose();
      showToast({ kind: 'done', text: 'The webhook is changed.' });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    saving.mutate(textsOf(event.currentTarget)('url').trim());
  };
  if (secret !== undefined) return <NewSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog title={hook ? 'Change the webhook' : `New webhook of ${slug}`} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={saving.error} />
          <Field
            label="URL"
            name="url"
            type="url"
            required
            autoFocus
            maxLength={2000}
            defaultValue={hook?.url}
            placeholder="https://example.com/hooks/files"
            autoComplete="off"
          />
          <fieldset className="grid gap-1.5">
            <legend className="pb-1 text-[13px] font-semibold">
              It is called for files that were
            </legend>
            {events.map((event) => (
              <Tick
                key={event}
                label={event}
                checked={wanted.includes(event)}
                onChange={({ currentTarget: { checked } }) =>
                  setWanted(checked ? [...wanted, event] : wanted.filter((each) => each !== event))
                }
              />
            ))}
          </fieldset>
          <Tick
            label="Active"
            hint="While it is off, nothing is sent, and what waits is kept."
            checked={isActive}
            onChange={(event) => setActive(event.currentTarget.checked)}
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={wanted.length === 0}
            busy={saving.isPending}
          >
            {hook ? 'Save' : 'Make the webhook'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** The secret with which calls are signed, shown once. */
export function NewSecret({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <ShownOnce title="The secret of the webhook" label="Secret" secret={secret} onClose={onClose}>
      <p>
        Your server checks with it that a call comes from this project: the header webhook-signature
        has the HMAC-SHA-256 of webhook-id, webhook-timestamp and the body, as Standard Webhooks
        describe it.
      </p>
    </ShownOnce>
  );
}
