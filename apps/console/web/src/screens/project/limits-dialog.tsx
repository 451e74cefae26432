import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, api, type Schemas } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Choice, Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { Skeleton } from '../../ui/skeleton.js';
import { showToast } from '../../ui/toast.js';
import { bytesOf, gigabytesOf } from './gigabytes.js';
import { limitsQuery } from './queries.js';

type Limits = Schemas['ProjectLimits'];

interface LimitsDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

const mailChoices = [
  { key: 'default', name: 'As the deployment decides', value: null },
  { key: 'on', name: 'On', value: true },
  { key: 'off', name: 'Off', value: false },
] as const;

/** What a project may take and use of the deployment; for administrators of the deployment. */
export default function LimitsDialog({ projectRef, onClose }: LimitsDialogProps): ReactNode {
  const { data, error } = useQuery(limitsQuery(projectRef));
  return (
    <Dialog
      title="Limits"
      about="What the project may take and use. An empty field means what the deployment gives to each project."
      onClose={onClose}
    >
      {data ? (
        <LimitsForm projectRef={projectRef} before={data} onClose={onClose} />
      ) : (
        <DialogBody>
          {error ? <ProblemNotice of={error} /> : <Skeleton className="w-48" />}
        </DialogBody>
      )}
    </Dialog>
  );
}

function LimitsForm({
  projectRef,
  before,
  onClose,
}: LimitsDialogProps & { readonly before: Limits }): ReactNode {
  const queryClient = useQueryClient();
  const [storage, setStorage] = useState(gigabytesOf(before.storageBytes));
  const [database, setDatabase] = useState(gigabytesOf(before.databaseBytes));
  const [sharedMailServer, setSharedMailServer] = useState(before.sharedMailServer);
  const storageBytes = bytesOf(storage);
  const databaseBytes = bytesOf(database);
  // What stays is left out: another operator may have changed it since the dialog was opened.
  const body: Partial<Limits> = {
    ...(storageBytes !== before.storageBytes && { storageBytes }),
    ...(databaseBytes !== before.databaseBytes && { databaseBytes }),
    ...(sharedMailServer !== before.sharedMailServer && { sharedMailServer }),
  };
  const saving = useMutation({
    mutationFn: () =>
      answer(
        api.PUT('/platform/projects/{ref}/limits', { params: { path: { ref: projectRef } }, body }),
      ),
    onSuccess: (limits) => {
      queryClient.setQueryData(limitsQuery(projectRef).queryKey, limits);
      onClose();
      showToast({ kind: 'done', text: 'The limits were saved.' });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  const gigabytes = { type: 'number', min: 0, max: 9_000_000, step: 'any' } as const;
  return (
    <form onSubmit={submit} className="contents">
      <DialogBody>
        <ProblemNotice of={saving.error} effect="Nothing was saved." />
        <Field
          {...gigabytes}
          label="Files (GB)"
          value={storage}
          hint="It holds from the next upload on. Beyond it, uploads are refused with 507."
          onChange={({ currentTarget }) => setStorage(currentTarget.value)}
        />
        <Field
          {...gigabytes}
          label="Database (GB)"
          value={database}
          hint="It holds within a minute. A database beyond it takes no writes until it is smaller. If it grows further, the project is paused."
          onChange={({ currentTarget }) => setDatabase(currentTarget.value)}
        />
        <Choice
          label="Mail server of the deployment"
          value={mailChoices.find(({ value }) => value === sharedMailServer)?.key}
          hint="It holds from the next mail on. Off: the project sends mails only over a mail server of its own, from its settings."
          onChange={({ currentTarget }) => {
            const chosen = mailChoices.find(({ key }) => key === currentTarget.value);
            if (chosen) setSharedMailServer(chosen.value);
          }}
        >
          {mailChoices.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Choice>
      </DialogBody>
      <RequestButtons
        request={{ method: 'PUT', path: projectPath(projectRef, '/limits'), body }}
        isReady={Object.keys(body).length > 0}
        busy={saving.isPending}
        onCancel={onClose}
      >
        Save
      </RequestButtons>
    </form>
  );
}
