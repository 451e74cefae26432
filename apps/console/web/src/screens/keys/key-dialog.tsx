import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useId, useRef } from 'react';

import { asProblem } from '../../api/problem.js';
import { confirmPassword, wrongPassword } from '../../session/confirm.js';
import { useOperator } from '../../session/operator.js';
import { Button } from '../../ui/button.js';
import { CopyField } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { liveKeysQuery } from './queries.js';

interface KeyDialogProps {
  /** The name of what is made. */
  readonly label: string;
  /** Is said beside what was made. */
  readonly notice?: string;
  readonly title: string;
  readonly about?: string;
  /** Names the button that makes it. */
  readonly action: string;
  /** Makes the key, or another secret, and returns its text. */
  readonly make: () => Promise<string>;
  readonly onClose: () => void;
  /** What is read and chosen before. */
  readonly children: ReactNode;
}

/** Asks for the password, makes a key, and shows it once: then the dialog stays until the key is said to be saved. */
export function KeyDialog({
  label,
  notice = 'Copy the key now: it is not shown again.',
  title,
  about,
  action,
  make,
  onClose,
  children,
}: KeyDialogProps): ReactNode {
  const form = useId();
  const password = useRef<HTMLInputElement>(null);
  const making = useMaking(make, password);
  const made = making.data;
  return (
    <Dialog
      title={title}
      {...(about !== undefined && { about })}
      mustConfirm={made !== undefined}
      onClose={onClose}
    >
      <DialogBody>
        {made === undefined ? (
          <>
            {children}
            <form
              id={form}
              className="grid grid-cols-[minmax(0,1fr)] gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                making.mutate(textsOf(event.currentTarget)('password'));
              }}
            >
              <PasswordField input={password} error={making.error} />
            </form>
          </>
        ) : (
          <>
            <Notice kind="warning">{notice}</Notice>
            <CopyField label={label} text={made} />
          </>
        )}
      </DialogBody>
      <DialogButtons>
        {made === undefined ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} look="primary" busy={making.isPending}>
              {action}
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={onClose}>
            I have saved it
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

/** Checks the password and makes the key. After an error the password is selected, so that it is typed again. */
function useMaking(make: () => Promise<string>, password: RefObject<HTMLInputElement | null>) {
  const { ref } = useProject();
  const { data } = useOperator();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (typed: string) => {
      await confirmPassword(data?.operator.email ?? '', typed);
      const key = await make();
      void queryClient.invalidateQueries({ queryKey: liveKeysQuery(ref).queryKey });
      return key;
    },
    onError: () => {
      password.current?.focus();
      password.current?.select();
    },
  });
}

interface PasswordFieldProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly error: unknown;
}

/** The password of the operator. A wrong one is said at the field, another problem above it. */
function PasswordField({ input, error }: PasswordFieldProps): ReactNode {
  const isWrong = error !== null && asProblem(error).code === wrongPassword;
  return (
    <>
      {!isWrong && <ProblemNotice of={error} />}
      <Field
        ref={input}
        label="Your password"
        hint="The password with which you signed in to this console."
        problem={isWrong ? asProblem(error).message : undefined}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
    </>
  );
}
