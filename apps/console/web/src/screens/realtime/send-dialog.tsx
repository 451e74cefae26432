import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { projectPath } from '../../api/place.js';
import { parseJson } from '../../api/json.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { useProject } from '../project/use-project.js';
import { JsonArea } from './json-area.js';
import type { Listener } from './listener.js';
import { sendMessage } from './queries.js';

interface SendDialogProps {
  readonly of: Listener;
  readonly onClose: () => void;
}

/** A message in the name of a listener. */
export function SendDialog({ of: listener, onClose }: SendDialogProps): ReactNode {
  const { ref } = useProject();
  const { as, who, topic, isPrivate } = listener;
  const [event, setEvent] = useState('message');
  const [text, setText] = useState('{ "text": "Hello" }');
  const payload = parseJson(text);
  const message = { as, topic, private: isPrivate, event, payload: payload ?? null };
  const send = useMutation({ mutationFn: () => sendMessage(ref, message), onSuccess: onClose });
  const submit = (submitted: FormEvent<HTMLFormElement>): void => {
    submitted.preventDefault();
    if (payload !== undefined && !send.isPending) send.mutate();
  };
  const path = projectPath(ref, '/api/admin/realtime/send');
  return (
    <Dialog
      title={`Send to ${topic}`}
      about={`As ${who}, to everybody who has joined the topic. Clients of the app receive it.`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <Field
            label="Event"
            required
            maxLength={255}
            value={event}
            autoComplete="off"
            onChange={({ target }) => setEvent(target.value)}
          />
          <JsonArea
            label="Payload"
            value={text}
            problem={payload === undefined ? 'This is not JSON.' : undefined}
            hint="Any JSON value."
            onChange={setText}
          />
          <ProblemNotice of={send.error} />
        </DialogBody>
        <RequestButtons
          request={{ method: 'POST', path, body: message }}
          what="the message"
          isReady={payload !== undefined}
          busy={send.isPending}
          onCancel={onClose}
        >
          Send
        </RequestButtons>
      </form>
    </Dialog>
  );
}
