import { Building2, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { ProjectsSearch } from './search.js';

/** Where the rows will be, while they are on their way. */
export function WaitingRows(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading"
      className="rounded-lg border border-line bg-surface"
    >
      <div className="h-[37px] border-b border-line" />
      {['w-40', 'w-56', 'w-32', 'w-48', 'w-36', 'w-52'].map((width) => (
        <div
          key={width}
          className="flex h-[57px] items-center gap-4 border-b border-line px-4 last:border-0"
        >
          <span className="grid grow gap-1">
            <Skeleton className={width} />
            <Skeleton className="w-20" />
          </span>
          <Skeleton className="w-16" />
        </div>
      ))}
    </div>
  );
}

interface NoProjectsProps {
  /** Absent if the operator cannot create projects. */
  readonly onCreate?: () => void;
  /** Absent if there are no deleted ones. */
  readonly onShowDeleted?: () => void;
}

export function NoProjects({ onCreate, onShowDeleted }: NoProjectsProps): ReactNode {
  return (
    <Empty icon={<Building2 aria-hidden />} title={onShowDeleted ? 'No project' : 'No project yet'}>
      <p>
        A project is a whole backend: a database with a REST API, users, files and live updates,
        apart from all other projects.
      </p>
      {onCreate ? (
        <Button look="primary" className="mt-2" onClick={onCreate}>
          Create the first project
        </Button>
      ) : (
        <p>You cannot create projects. Ask an administrator of the organization.</p>
      )}
      {onShowDeleted && <Button onClick={onShowDeleted}>Show deleted projects</Button>}
    </Empty>
  );
}

interface NoMatchProps {
  readonly search: ProjectsSearch;
  readonly onClear: () => void;
}

export function NoMatch({ search, onClear }: NoMatchProps): ReactNode {
  const isBin = search.status === 'deleted' && search.q === undefined;
  return (
    <Empty
      icon={<SearchX aria-hidden />}
      title={isBin ? 'No deleted project' : 'No project matches'}
    >
      <p>
        {isBin
          ? 'A deleted project is listed here until it is removed for good, and can be restored until then.'
          : 'The search looks for a part of the name or the ref.'}
      </p>
      <Button className="mt-2" onClick={onClear}>
        Show all projects
      </Button>
    </Empty>
  );
}

interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function Empty({ icon, title, children }: EmptyProps): ReactNode {
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-dashed border-line-strong/60 px-6 py-16 text-center text-soft">
      <div className="[&_svg]:size-8">{icon}</div>
      <h2 className="text-[17px] font-semibold text-ink">{title}</h2>
      <div className="grid max-w-md justify-items-center gap-2">{children}</div>
    </div>
  );
}
