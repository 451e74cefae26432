import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Field, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { refreshUsers } from './actions.js';
import { changeOf, type Draft, problemsOf, shownFields } from './draft.js';
import { nameOf } from './names.js';
import type { User } from './queries.js';
import { metadataWords, WaitingMetadata } from './waiting-user.js';

const MetadataField = lazy(() => import('./metadata-field.js'));

/** The account itself. Fields that the operator has not touched follow the changes of others. */
export function OverviewTab({ user }: { readonly user: User }): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Draft>({});
  const fields = shownFields(user, draft);
  const problems = problemsOf(draft);
  const change = changeOf(user, draft);
  const hasChange = Object.keys(change).length > 0;
  const hasProblem = Object.keys(problems).length > 0;
  const set = (changed: Draft): void => setDraft({ ...draft, ...changed });
  const saving = useMutation({
    mutationFn: async () => {
      const call = { params: { path: { id: user.id } }, body: change };
      await answer(projectApi(ref).PATCH('/api/admin/users/{id}', call));
      await refreshUsers(queryClient, ref);
    },
    onSuccess: () => {
      setDraft({});
      showToast({ kind: 'done', text: `${nameOf(user)} is changed.` });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (hasChange && !hasProblem) saving.mutate();
  };
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts of={user} />
      <ProblemNotice of={saving.error} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Name"
          value={fields.name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Field
          label="User name"
          value={fields.username}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set({ username: event.currentTarget.value })}
        />
        <div className="grid content-start gap-2">
          <Field
            label="Email address"
            type="email"
            value={fields.email}
            required
            autoComplete="off"
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <Tick
            label="The address is verified"
            checked={fields.emailVerified}
            onChange={(event) => set({ emailVerified: event.currentTarget.checked })}
          />
        </div>
        <div className="grid content-start gap-2">
          <Field
            label="Phone number"
            type="tel"
            value={fields.phoneNumber}
            placeholder="+15551234567"
            autoComplete="off"
            onChange={(event) => set({ phoneNumber: event.currentTarget.value })}
          />
          <Tick
            label="The number is verified"
            checked={fields.phoneNumberVerified}
            onChange={(event) => set({ phoneNumberVerified: event.currentTarget.checked })}
          />
        </div>
      </div>
      <Suspense fallback={<WaitingMetadata />}>
        <MetadataField
          {...metadataWords.app}
          text={fields.appMetadata}
          problem={problems.appMetadata}
          onChange={(appMetadata) => set({ appMetadata })}
        />
        <MetadataField
          {...metadataWords.user}
          text={fields.userMetadata}
          problem={problems.userMetadata}
          onChange={(userMetadata) => set({ userMetadata })}
        />
      </Suspense>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          look="primary"
          busy={saving.isPending}
          disabled={!hasChange || hasProblem}
        >
          Save
        </Button>
        {hasChange || hasProblem ? (
          <Button onClick={() => setDraft({})}>Discard the changes</Button>
        ) : null}
      </div>
    </form>
  );
}

function Facts({ of: user }: { readonly of: User }): ReactNode {
  const { id, createdAt, updatedAt, lastSignInAt, twoFactorEnabled } = user;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[14px] [&_dt]:self-center [&_dt]:text-soft">
      <dt>Id</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="truncate text-[13px]">{id}</code>
        <CopyButton text={id} what="the id" />
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={updatedAt} />
      </dd>
      <dt>Last sign-in</dt>
      <dd>{lastSignInAt === null ? 'never' : <Time at={lastSignInAt} />}</dd>
      <dt>Second factor</dt>
      <dd>{twoFactorEnabled ? 'on' : 'off'}</dd>
    </dl>
  );
}
