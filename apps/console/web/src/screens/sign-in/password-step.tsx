import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { isStudio } from '../../api/place.js';
import { asProblem } from '../../api/problem.js';
import { Button } from '../../ui/button.js';
import { Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { type Given, logIn, type NextStep } from './queries.js';

/** The code of a request without a key, to a project that enforces its keys. */
const keyMissing = 'INVALID_API_KEY';

interface PasswordStepProps {
  readonly onGiven: (given: Given) => void;
  readonly onNext: (next: NextStep) => void;
}

export function PasswordStep({ onGiven, onNext }: PasswordStepProps): ReactNode {
  const [needsKey, setNeedsKey] = useState(false);
  const signingIn = useMutation({
    mutationFn: logIn,
    onSuccess: onNext,
    onError: (error) => setNeedsKey((needed) => needed || asProblem(error).code === keyMissing),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const given = {
      email: text('email'),
      password: text('password'),
      ...(needsKey && { projectKey: text('project-key').trim() }),
    };
    onGiven(given);
    signingIn.mutate(given);
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <ProblemNotice of={signingIn.error} />
      <Field
        label="Email address"
        name="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      {needsKey && (
        <Field
          label="Publishable key"
          hint="It begins with svc_publishable_."
          name="project-key"
          // A secret key passes every policy, and does not belong in a browser.
          pattern="\s*svc_publishable_\S+\s*"
          title="A publishable key, which begins with svc_publishable_"
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      <Button type="submit" look="primary" busy={signingIn.isPending}>
        Sign in
      </Button>
      <p className="text-[13px] text-soft">
        {isStudio() ? (
          'With an account of the project that has the role ADMIN.'
        ) : (
          <>
            The first password was printed when the server started for the first time. A lost one is
            replaced on the machine:{' '}
            <code className="text-ink">node bin/rowhouse.js operator reset</code>
          </>
        )}
      </p>
    </form>
  );
}
