import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';

import { asProblem, Problem } from '../../api/problem.js';
import { useOperator } from '../../session/operator.js';
import { signOut } from '../../session/sign-out.js';
import { Card } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { Field, textsOf } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { logIn } from '../sign-in/queries.js';
import { minPasswordLength } from '../sign-in/new-password-step.js';
import { acceptAsNew, acceptAsOperator, isSignedIn } from './queries.js';
import { forgetInvitation, keepInvitation, takeInvitation } from './token.js';

/** A new operator chooses a password here; an operator signs in and accepts. */
export function InvitationPage(): ReactNode {
  const [token] = useState(takeInvitation);
  const [signsIn, setSignsIn] = useState(false);
  if (token === undefined) {
    return (
      <Card
        title="The link is not complete"
        about="Open the link of the invitation again, including the part after the #."
      >
        {null}
      </Card>
    );
  }
  if (isSignedIn()) return <AcceptAsOperator token={token} />;
  if (signsIn) return <SignInFirst />;
  return <AcceptAsNew token={token} onHasAccount={() => setSignsIn(true)} />;
}

function AcceptAsNew({
  token,
  onHasAccount,
}: {
  readonly token: string;
  readonly onHasAccount: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const accepting = useMutation({
    mutationFn: async (given: { readonly name: string; readonly password: string }) => {
      const { email } = await acceptAsNew(token, given);
      forgetInvitation();
      return signedIn(email, given.password);
    },
    onSuccess: (isSignedIn) =>
      void (isSignedIn
        ? navigate({ to: '/projects', replace: true })
        : navigate({ to: '/sign-in', search: { account: 'ready' }, replace: true })),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    accepting.mutate({ name: text('name'), password: text('password') });
  };
  const exists = accepting.error !== null && asProblem(accepting.error).code === 'OPERATOR_EXISTS';
  return (
    <Card
      title="You are invited"
      about="Choose a password to work on projects in this Rowhouse console."
    >
      <form className="grid gap-4" onSubmit={submit}>
        {exists ? (
          <Notice kind="warning">
            An account with this address already exists. Sign in to accept the invitation.
          </Notice>
        ) : (
          <ProblemNotice of={accepting.error} />
        )}
        <Field label="Name" name="name" autoComplete="name" maxLength={128} autoFocus />
        <Field
          label="Password"
          hint={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={minPasswordLength}
          maxLength={128}
          required
        />
        <Button type="submit" look="primary" busy={accepting.isPending}>
          Accept the invitation
        </Button>
        <Button look={exists ? 'plain' : 'quiet'} onClick={onHasAccount}>
          I have an account here
        </Button>
      </form>
    </Card>
  );
}

/** Whether the new account could be signed in. It exists if not, so nothing is left to be tried again here. */
async function signedIn(email: string, password: string): Promise<boolean> {
  try {
    return (await logIn({ email, password })).step === 'done';
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

function SignInFirst(): ReactNode {
  const navigate = useNavigate();
  return (
    <Card
      title="Sign in to accept"
      about="Use the account with the address that the invitation was sent to. You come back here."
    >
      <Button
        look="primary"
        autoFocus
        onClick={() => void navigate({ to: '/sign-in', search: { to: '/invitation' } })}
      >
        Sign in
      </Button>
    </Card>
  );
}

function AcceptAsOperator({ token }: { readonly token: string }): ReactNode {
  const navigate = useNavigate();
  const { data } = useOperator();
  const accepting = useMutation({
    mutationFn: () => acceptAsOperator(token),
    onSuccess: () => {
      forgetInvitation();
      void navigate({ to: '/projects', replace: true });
    },
  });
  const changeAccount = (): void => {
    void signOut();
    // The end of a session forgets it.
    keepInvitation(token);
    void navigate({ to: '/sign-in', search: { to: '/invitation' } });
  };
  return (
    <Card
      title="You are invited"
      about={`You are signed in as ${data?.operator.email ?? '…'}. Accept to work on more projects with this account.`}
    >
      <ProblemNotice of={accepting.error} />
      <Button
        look="primary"
        autoFocus
        busy={accepting.isPending}
        onClick={() => accepting.mutate()}
      >
        Accept the invitation
      </Button>
      <Button look="quiet" onClick={changeAccount}>
        Use another account
      </Button>
    </Card>
  );
}
