import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';

import { confirmPassword } from '../../session/confirm.js';
import { useOperator } from '../../session/operator.js';
import { Button } from '../../ui/button.js';
import { Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';

interface SecretStepProps<Secret> {
  /** Names the button that begins, and the one that ends it. */
  readonly action: string;
  readonly read: () => Promise<Secret>;
  readonly onRead: (secret: Secret) => void;
}

/** A button that asks for the password before it reads a secret. */
export function SecretStep<Secret>({ action, read, onRead }: SecretStepProps<Secret>): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const { data } = useOperator();
  const reading = useMutation({
    mutationFn: async (password: string) => {
      await confirmPassword(data?.operator.email ?? '', password);
      return read();
    },
    onSuccess: (secret) => {
      setAsking(false);
      onRead(secret);
    },
  });
  if (!isAsking)
    return (
      <Button disabled={!data} onClick={() => setAsking(true)}>
        <KeyRound aria-hidden className="size-4" />
        {action}
      </Button>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    reading.mutate(textsOf(event.currentTarget)('password'));
  };
  return (
    <form onSubmit={submit} className="grid w-full gap-3 rounded-md border border-line p-3">
      <ProblemNotice of={reading.error} />
      <Field
        label="Your password"
        hint="Secrets are shown after your password alone."
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={reading.isPending}>
          {action}
        </Button>
        <Button onClick={() => setAsking(false)}>Cancel</Button>
      </div>
    </form>
  );
}
