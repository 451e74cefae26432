import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { isStudio } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { Field, textsOf, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { type CodeInput, type NextStep, verifyCode } from './queries.js';

interface CodeStepProps {
  readonly email: string;
  readonly challenge: string;
  readonly onNext: (next: NextStep) => void;
  readonly onBack: () => void;
}

export function CodeStep({ email, challenge, onNext, onBack }: CodeStepProps): ReactNode {
  const [kind, setKind] = useState<CodeInput['kind']>('totp');
  const verifying = useMutation({
    mutationFn: (input: CodeInput) => verifyCode(email, challenge, input),
    onSuccess: onNext,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    verifying.mutate({ kind, code: text('code'), trustDevice: text('trust') === 'on' });
  };
  const isTotp = kind === 'totp';
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <ProblemNotice of={verifying.error} />
      <Field
        key={kind}
        label={isTotp ? 'Authenticator code' : 'Backup code'}
        hint={
          isTotp
            ? 'Six digits. Each code works once.'
            : 'One of your saved backup codes. Each works once.'
        }
        name="code"
        inputMode={isTotp ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        className="font-mono tracking-widest"
        required
        autoFocus
      />
      {!isStudio() && (
        <Tick
          name="trust"
          label="Trust this device for 30 days"
          hint="It needs the password alone until then."
        />
      )}
      <Button type="submit" look="primary" busy={verifying.isPending}>
        Continue
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="quiet" size="small" onClick={() => setKind(isTotp ? 'backup-code' : 'totp')}>
          {isTotp ? 'Use a backup code' : 'Use the authenticator'}
        </Button>
        <Button look="quiet" size="small" onClick={onBack}>
          Start over
        </Button>
      </div>
    </form>
  );
}
