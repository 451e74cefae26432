import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Field, textsOf } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';

const transports = {
  smtp: 'The mail server has taken the mail.',
  hook: 'The hook for messages has taken the mail.',
  inbox: 'The project has no mail server: the mail is in the development inbox.',
} as const;

/** Sends a mail by the stored settings and says how it went. */
export function TestMail(): ReactNode {
  const { ref } = useProject();
  const send = useMutation({
    mutationFn: async (to: string) => {
      const client = projectApi(ref);
      const sent = await answer(client.POST('/api/admin/settings/email/test', { body: { to } }));
      return transports[sent.transport];
    },
  });
  return (
    <Test
      label="Email address"
      type="email"
      placeholder="ada@example.org"
      route="email"
      hint="The mail is sent at once, by what is stored. Changes that are not saved have no part in it."
      send={send}
    />
  );
}

/** Sends an SMS by the stored settings and says how it went. */
export function TestSms(): ReactNode {
  const { ref } = useProject();
  const send = useMutation({
    mutationFn: async (to: string) => {
      await answer(projectApi(ref).POST('/api/admin/settings/sms/test', { body: { to } }));
      return 'The provider has taken the SMS.';
    },
  });
  return (
    <Test
      label="Phone number"
      type="tel"
      placeholder="+15551234567"
      route="sms"
      hint="The SMS is sent at once, by what is stored, and costs what the provider takes. Its code opens nothing."
      send={send}
    />
  );
}

interface TestProps {
  readonly label: string;
  readonly type: 'email' | 'tel';
  readonly placeholder: string;
  readonly route: 'email' | 'sms';
  readonly hint: string;
  readonly send: {
    readonly mutate: (to: string) => void;
    readonly isPending: boolean;
    readonly data: string | undefined;
    readonly error: unknown;
    readonly variables: string | undefined;
  };
}

function Test({ label, type, placeholder, route, hint, send }: TestProps): ReactNode {
  const { ref } = useProject();
  const [to, setTo] = useState('');
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send.mutate(textsOf(event.currentTarget)('to'));
  };
  return (
    <form className="grid max-w-xl grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit}>
      <Field
        label={label}
        name="to"
        type={type}
        required
        value={to}
        placeholder={placeholder}
        hint={hint}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" busy={send.isPending}>
          Send
        </Button>
        <CopyButton
          text={curlOf({
            method: 'POST',
            path: projectPath(ref, `/api/admin/settings/${route}/test`),
            body: { to: to || placeholder },
          })}
          what="as curl: the test"
        >
          Copy as curl
        </CopyButton>
      </div>
      {send.data !== undefined && (
        <Notice kind="good">
          {send.data} It went to {send.variables}.
        </Notice>
      )}
      <ProblemNotice of={send.error} effect="The message was not sent." />
    </form>
  );
}
