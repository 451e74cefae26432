import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { isStudio } from '../../api/place.js';
import { type Ending, useSession } from '../../session/session.js';
import { idleMinutes } from '../../session/idle.js';
import { Card } from '../../shell/card.js';
import { Notice } from '../../ui/notice.js';
import { PasswordStep } from './password-step.js';
import type { NextStep } from './queries.js';

/** Few sign-ins have these steps. */
const CodeStep = lazy(async () => ({ default: (await import('./code-step.js')).CodeStep }));
const NewPasswordStep = lazy(async () => ({
  default: (await import('./new-password-step.js')).NewPasswordStep,
}));

const endings: Readonly<Record<Ending, string>> = {
  'signed-out': 'You are signed out.',
  idle: `You were signed out after ${idleMinutes} minutes without activity.`,
  ended: 'Your session has ended. Sign in again.',
};

const titles = {
  password: [
    'Sign in',
    isStudio() ? `To the studio of ${window.location.host}.` : 'To the console of this deployment.',
  ],
  code: ['Second step', undefined],
  'new-password': ['Choose your password', 'Your current password is temporary.'],
} as const;

type Step = Exclude<NextStep, { step: 'done' }> | { readonly step: 'password' };

/** Password, second step and the forced change of the password, one after the other. */
export function SignInPage(): ReactNode {
  const { session, ending } = useSession();
  const [step, setStep] = useState<Step>(() =>
    session ? { step: 'new-password' } : { step: 'password' },
  );
  const [given, setGiven] = useState({ email: '', password: '' });
  const { account } = useSearch({ from: '/sign-in' });
  const goOn = useGoOn();
  const next = (reached: NextStep): void => (reached.step === 'done' ? goOn() : setStep(reached));
  // The session of a forced change can end before the change.
  const shown: Step = step.step === 'new-password' && !session ? { step: 'password' } : step;
  const [title, about] = titles[shown.step];
  return (
    <Card title={title} about={about}>
      {shown.step === 'password' && (
        <>
          {ending && <Notice kind="plain">{endings[ending]}</Notice>}
          {account === 'ready' && <Notice kind="good">Your account is ready. Sign in.</Notice>}
          <PasswordStep onGiven={setGiven} onNext={next} />
        </>
      )}
      {shown.step === 'code' && (
        <Suspense>
          <CodeStep
            email={given.email}
            challenge={shown.challenge}
            onNext={next}
            onBack={() => setStep({ step: 'password' })}
          />
        </Suspense>
      )}
      {shown.step === 'new-password' && session && (
        <Suspense>
          <NewPasswordStep token={session.token} given={given} onNext={next} />
        </Suspense>
      )}
    </Card>
  );
}

/** How to leave for the page that was asked for. */
function useGoOn(): () => void {
  const { to } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const navigate = useNavigate();
  return () => {
    if (to === undefined) void navigate({ to: '/projects', replace: true });
    else router.history.replace(to);
  };
}
