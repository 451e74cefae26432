import { useQuery } from '@tanstack/react-query';
import { Pause, Pencil, Play, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { exactTime } from '../../ui/time-in-words.js';
import { useProjectActions } from './actions.js';
import { conditionQuery, type Project, projectQuery } from './queries.js';
import RenameDialog from './rename-dialog.js';
import { Status } from './status.js';

interface ProjectPanelProps {
  readonly project: Project;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** What is known of a project, and what can be done with it. */
export default function ProjectPanel({ project, onDelete, onClose }: ProjectPanelProps): ReactNode {
  const { ref, name, url, status, organizationName, idType, createdAt, deleteAt } = project;
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) return <RenameDialog project={project} onClose={() => setRenaming(false)} />;
  return (
    <Dialog title={name} place="side" onClose={onClose}>
      <div className="grow">
        <DialogBody>
          <div>
            <Status of={project} />
          </div>
          {status === 'paused' && (
            <Notice kind="warning">Its requests answer 503 until it is resumed.</Notice>
          )}
          {deleteAt !== null && (
            <Notice kind="problem">
              It is deleted, and removed for good on {exactTime(deleteAt)}. It can be restored until
              then.
            </Notice>
          )}
          <CopyField label="URL" text={url} />
          <dl className="grid grid-cols-[8rem_1fr] gap-y-2.5 text-[14px] [&_dt]:text-soft">
            <dt>Ref</dt>
            <dd className="font-mono text-[13px] break-all">{ref}</dd>
            <dt>Organization</dt>
            <dd className="break-words">{organizationName}</dd>
            <dt>Created</dt>
            <dd>
              <Time at={createdAt} />
            </dd>
            <dt>Type of user ids</dt>
            <dd>{idType === 'uuid' ? 'UUID' : 'Text'}</dd>
            {(status === 'active' || status === 'paused') && <Condition of={ref} />}
          </dl>
          <div>
            <CopyButton text={curlOf({ path: projectPath(ref) })} what="as curl: the request">
              Copy as curl
            </CopyButton>
          </div>
        </DialogBody>
      </div>
      <Actions project={project} onRename={() => setRenaming(true)} onDelete={onDelete} />
    </Dialog>
  );
}

function Condition({ of: ref }: { readonly of: string }): ReactNode {
  const { data, error } = useQuery(conditionQuery(ref));
  const shown = (value: string | undefined): ReactNode =>
    value ?? (error ? 'not known at the moment' : <Skeleton className="w-16" />);
  return (
    <>
      <dt>Database</dt>
      <dd>{shown(data && bytesInWords(data.databaseBytes))}</dd>
      <dt>Users</dt>
      <dd>{shown(data && (data.users?.toLocaleString('en') ?? 'not known before its upgrade'))}</dd>
      <dt>Connections</dt>
      <dd>{shown(data && data.connections.open.toLocaleString('en'))}</dd>
    </>
  );
}

interface ActionsProps extends Omit<ProjectPanelProps, 'onClose'> {
  readonly onRename: () => void;
}

function Actions({ project, onRename, onDelete }: ActionsProps): ReactNode {
  const { data, error } = useQuery(projectQuery(project.ref));
  const actions = useProjectActions();
  if (!data)
    return (
      <DialogButtons>
        {error ? <ProblemNotice of={error} /> : <Skeleton className="my-2 w-40" />}
      </DialogButtons>
    );
  if (!data.capabilities.includes('projects.manage')) return null;
  return (
    <DialogButtons>
      {(project.status === 'active' || project.status === 'paused') && (
        <Button onClick={onRename}>
          <Pencil aria-hidden className="size-4" />
          Rename…
        </Button>
      )}
      {project.status === 'active' && (
        <Button onClick={() => void actions.pause(project)}>
          <Pause aria-hidden className="size-4" />
          Pause
        </Button>
      )}
      {project.status === 'paused' && (
        <Button onClick={() => void actions.resume(project)}>
          <Play aria-hidden className="size-4" />
          Resume
        </Button>
      )}
      {project.status === 'deleted' && (
        <Button look="primary" onClick={() => void actions.restore(project)}>
          <RotateCcw aria-hidden className="size-4" />
          Restore
        </Button>
      )}
      {project.status !== 'deleting' && (
        <Button className="text-danger" onClick={onDelete}>
          <Trash2 aria-hidden className="size-4" />
          {project.status === 'deleted' ? 'Delete for good…' : 'Delete…'}
        </Button>
      )}
    </DialogButtons>
  );
}
