import { type FormEvent, type ReactNode, useRef } from 'react';

import { isStudio } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { minPasswordLength } from '../sign-in/new-password-step.js';
import { changePassword, useChange } from './queries.js';
import { Section } from './section.js';

export function PasswordSection(): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const changing = useChange(changePassword, () => {
    form.current?.reset();
    showToast({ kind: 'done', text: 'Your password is changed. Your other sessions have ended.' });
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    changing.mutate({ currentPassword: text('current'), newPassword: text('new') });
  };
  return (
    <Section
      title="Password"
      about={
        isStudio()
          ? 'The one that you use in the app, too. A change ends your other sessions.'
          : 'A change ends your other sessions and the trust in all devices.'
      }
    >
      <form ref={form} className="grid max-w-sm gap-4" onSubmit={submit}>
        <ProblemNotice of={changing.error} />
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
        />
        <Field
          label="New password"
          {...(!isStudio() && {
            hint: `At least ${minPasswordLength} characters.`,
            minLength: minPasswordLength,
          })}
          name="new"
          type="password"
          autoComplete="new-password"
          required
        />
        <Button type="submit" className="justify-self-start" busy={changing.isPending}>
          Change the password
        </Button>
      </form>
    </Section>
  );
}
