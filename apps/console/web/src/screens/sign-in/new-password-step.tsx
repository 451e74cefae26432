import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';

import { signOut } from '../../session/sign-out.js';
import { Button } from '../../ui/button.js';
import { Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { type NextStep, replacePassword } from './queries.js';

export const minPasswordLength = 12;

interface NewPasswordStepProps {
  readonly token: string;
  /** What was typed a step before; empty after a reload. */
  readonly given: { readonly email: string; readonly password: string };
  readonly onNext: (next: NextStep) => void;
}

export function NewPasswordStep({ token, given, onNext }: NewPasswordStepProps): ReactNode {
  const [isUnlike, setUnlike] = useState(false);
  const repeated = useRef<HTMLInputElement>(null);
  const replacing = useMutation({
    mutationFn: (input: Parameters<typeof replacePassword>[1]) => replacePassword(token, input),
    onSuccess: onNext,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const newPassword = text('new-password');
    const currentPassword = given.password === '' ? text('current-password') : given.password;
    const isSame = newPassword === text('repeated');
    setUnlike(!isSame);
    if (isSame) replacing.mutate({ currentPassword, newPassword });
    else repeated.current?.focus();
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <ProblemNotice of={replacing.error} />
      {/* Password managers store the new password under this name. */}
      <input type="hidden" name="username" autoComplete="username" value={given.email} />
      {given.password === '' && (
        <Field
          label="Current password"
          name="current-password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
      )}
      <Field
        label="New password"
        hint={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
        name="new-password"
        type="password"
        autoComplete="new-password"
        minLength={minPasswordLength}
        required
        autoFocus={given.password !== ''}
      />
      <Field
        label="New password again"
        problem={isUnlike ? 'The passwords do not match.' : undefined}
        name="repeated"
        ref={repeated}
        type="password"
        autoComplete="new-password"
        required
      />
      <Button type="submit" look="primary" busy={replacing.isPending}>
        Save and continue
      </Button>
      <Button look="quiet" size="small" onClick={() => void signOut()}>
        Sign out
      </Button>
    </form>
  );
}
