import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { projectPath } from '../../api/place.js';
import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { Skeleton } from '../../ui/skeleton.js';
import { exactTime } from '../../ui/time-in-words.js';
import { showToast } from '../../ui/toast.js';
import { deleteProject, useProjectActions } from './actions.js';
import { conditionQuery, type Project, projectQuery } from './queries.js';

interface DeleteDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** What a deletion takes away, and the name of the project to confirm it. */
export default function DeleteDialog({ project, onClose }: DeleteDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const actions = useProjectActions();
  const [typed, setTyped] = useState('');
  const { data: details, error } = useQuery(projectQuery(project.ref));
  const isRemoval = project.status === 'deleted' || project.status === 'creating';
  /** For how long it can be restored; undefined until that is known. */
  const days = isRemoval ? 0 : details?.deletedProjectDays;
  const isForGood = days === 0;
  const deleting = useMutation({
    mutationFn: (keptDays: number) => deleteProject(queryClient, project, keptDays),
    onSuccess: (kept) => {
      onClose();
      if (!kept?.deleteAt) {
        showToast({ kind: 'done', text: `${project.name} is deleted for good.` });
        return;
      }
      showToast({
        kind: 'done',
        text: `${project.name} is deleted. It can be restored until ${exactTime(kept.deleteAt)}.`,
        undo: { label: 'Undo', run: () => void actions.restore(project) },
      });
    },
  });
  const isConfirmed = days !== undefined && typed.trim() === project.name.trim();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isConfirmed) deleting.mutate(days);
  };
  return (
    <Dialog
      title={isForGood ? `Delete ${project.name} for good?` : `Delete ${project.name}?`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          {(days !== undefined || !error) && <Losses project={project} days={days} />}
          <ProblemNotice of={deleting.error ?? (days === undefined ? error : null)} />
          <Field
            label={`Type the name to confirm: ${project.name}`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
        </DialogBody>
        <RequestButtons
          request={{
            method: 'DELETE',
            path: projectPath(project.ref, isForGood ? '?now=true' : ''),
            body: { ref: project.ref },
          }}
          look="danger"
          isReady={isConfirmed}
          busy={deleting.isPending}
          onCancel={onClose}
        >
          {isForGood ? 'Delete for good' : 'Delete'}
        </RequestButtons>
      </form>
    </Dialog>
  );
}

function Losses({
  project,
  days,
}: {
  readonly project: Project;
  readonly days: number | undefined;
}): ReactNode {
  const isReachable = project.status === 'active' || project.status === 'paused';
  const { data, error } = useQuery({ ...conditionQuery(project.ref), enabled: isReachable });
  const known = (value: string): ReactNode => (data ? value : <Skeleton className="w-24" />);
  return (
    <div className="grid gap-3 text-[14px]">
      <p>
        {days === 0
          ? 'These are removed at once, and nothing brings them back:'
          : 'Its addresses answer 404 immediately and open connections end. These are deleted with it:'}
      </p>
      <ul className="list-disc space-y-1 pl-5">
        <li>
          {!isReachable || error
            ? 'the database with all tables'
            : known(`the database with all tables, ${bytesInWords(data?.databaseBytes ?? 0)}`)}
        </li>
        <li>
          {!isReachable || error || data?.users === null
            ? 'all users with their sessions'
            : known(`${counted(data?.users ?? 0, 'user')} with their sessions`)}
        </li>
        <li>all files, keys, settings and domains</li>
      </ul>
      {days === undefined && <Skeleton className="w-64" />}
      {days !== undefined && days > 0 && (
        <p className="text-soft">The project can be restored for {counted(days, 'day')}.</p>
      )}
    </div>
  );
}
