import { useQuery } from '@tanstack/react-query';
import {
  EllipsisVertical,
  Link2,
  PanelRightOpen,
  Pause,
  Pencil,
  Play,
  RotateCcw,
  Trash2,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { copyText, showCopyFailure } from '../../ui/copy.js';
import { Menu } from '../../ui/menu.js';
import type { MenuEntry } from '../../ui/menu-entry.js';
import { showToast } from '../../ui/toast.js';
import { type ProjectActions, useProjectActions } from './actions.js';
import { type Project, projectQuery } from './queries.js';

const RenameDialog = lazy(() => import('./rename-dialog.js'));

interface ProjectMenuProps {
  readonly project: Project;
  /** Absent where the details are shown. */
  readonly onOpen?: () => void;
  readonly onDelete: () => void;
}

/** The actions on a project that the operator may take. */
export function ProjectMenu({ project, onOpen, onDelete }: ProjectMenuProps): ReactNode {
  const [isWanted, setWanted] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const { data, error } = useQuery({ ...projectQuery(project.ref), enabled: isWanted });
  const actions = useProjectActions();
  const waiting = error ? asProblem(error).message : 'Loading actions…';
  const mayManage = data?.capabilities.includes('projects.manage') === true;
  const copy = (): void =>
    void copyText(project.url).then(
      () => showToast({ kind: 'done', text: 'The URL is copied.' }),
      showCopyFailure,
    );
  const changes = { actions, onRename: () => setRenaming(true), onDelete };
  return (
    <>
      <Menu
        label={`Actions on ${project.name}`}
        icon={<EllipsisVertical aria-hidden className="size-4" />}
        onApproach={() => setWanted(true)}
        entries={[
          ...(onOpen
            ? [{ name: 'Show details', icon: <PanelRightOpen aria-hidden />, run: onOpen }]
            : []),
          { name: 'Copy the URL', icon: <Link2 aria-hidden />, run: copy },
          ...(data ? [] : (['line', { text: waiting }] as const)),
          ...(mayManage ? (['line', ...changesOf(project, changes)] as const) : []),
        ]}
      />
      {isRenaming && (
        <Suspense>
          <RenameDialog project={project} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  );
}

interface Changes {
  readonly actions: ProjectActions;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function changesOf(
  project: Project,
  { actions, onRename, onDelete }: Changes,
): readonly MenuEntry[] {
  const rename = { name: 'Rename…', icon: <Pencil aria-hidden />, run: onRename };
  const remove = { icon: <Trash2 aria-hidden />, isDangerous: true, run: onDelete };
  const deletion = { ...remove, name: 'Delete…' };
  switch (project.status) {
    case 'active':
      return [
        rename,
        { name: 'Pause', icon: <Pause aria-hidden />, run: () => void actions.pause(project) },
        deletion,
      ];
    case 'paused':
      return [
        rename,
        { name: 'Resume', icon: <Play aria-hidden />, run: () => void actions.resume(project) },
        deletion,
      ];
    case 'deleted':
      return [
        {
          name: 'Restore',
          icon: <RotateCcw aria-hidden />,
          run: () => void actions.restore(project),
        },
        { ...remove, name: 'Delete for good…' },
      ];
    case 'creating':
      return [deletion];
    default:
      return [];
  }
}
