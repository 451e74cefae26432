import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';

import { useNarrow } from '../../ui/narrow.js';
import { ProjectMenu } from './project-menu.js';
import type { Project } from './queries.js';
import { useRowsInSight } from './rows-in-sight.js';
import { type ProjectsSearch, type SortField, startsHigh } from './search.js';
import { Moment, Status } from './status.js';
import { LastRequest, Requests, Size } from './usage-cells.js';
import type { Usages } from './usage.js';

const rowHeight = 57;
const narrowRowHeight = 77;

export interface ProjectsViewProps {
  readonly projects: readonly Project[];
  readonly search: ProjectsSearch;
  readonly usages: Usages;
  /** The figures of usage are on their way. */
  readonly isUsageWaiting: boolean;
  /** Whether the organization is worth a column. */
  readonly showsOrganization: boolean;
  readonly onSort: (field: SortField) => void;
  readonly onOpen: (project: Project) => void;
  readonly onDelete: (project: Project) => void;
}

/** The projects as a table. Only the rows in sight are in the page. */
export function ProjectList(props: ProjectsViewProps): ReactNode {
  const { projects, search, showsOrganization, onSort } = props;
  const isNarrow = useNarrow();
  const place = useRef<HTMLDivElement>(null);
  const height = isNarrow ? narrowRowHeight : rowHeight;
  const rows = useRowsInSight(place, { count: projects.length, height, overscan: 8 });
  const columns = showsOrganization
    ? 'sm:grid-cols-[minmax(0,1fr)_6.5rem_9.5rem_2rem] lg:grid-cols-[minmax(0,1fr)_minmax(0,9rem)_6.5rem_9.5rem_4.5rem_8rem_8rem_2rem]'
    : 'sm:grid-cols-[minmax(0,1fr)_6.5rem_9.5rem_2rem] lg:grid-cols-[minmax(0,1fr)_6.5rem_9.5rem_4.5rem_8rem_8rem_2rem]';
  return (
    <div
      role="table"
      aria-label="Projects"
      aria-rowcount={projects.length + 1}
      className="rounded-lg border border-line bg-surface"
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className={`flex gap-4 border-b border-line px-4 py-2 text-[13px] text-soft sm:grid ${columns}`}
        >
          <Head field="name" search={search} onSort={onSort}>
            Name
          </Head>
          {showsOrganization && (
            <span role="columnheader" className="max-lg:hidden">
              Organization
            </span>
          )}
          {heads.map(([field, title, place]) => (
            <Head key={field} field={field} search={search} onSort={onSort} className={place}>
              {title}
            </Head>
          ))}
          <span role="columnheader">
            <span className="sr-only">Actions</span>
          </span>
        </div>
      </div>
      <div
        ref={place}
        role="rowgroup"
        onKeyDown={moveByArrows}
        className="relative"
        style={{ height: projects.length * height }}
      >
        {rows.map((index) => {
          const project = projects[index];
          return (
            project && (
              <div
                key={project.ref}
                role="row"
                aria-rowindex={index + 2}
                style={{ height, transform: `translateY(${index * height}px)` }}
                className={`absolute inset-x-0 top-0 grid grid-cols-[minmax(0,1fr)_2.5rem] items-center gap-x-4 border-b border-line px-4 last:border-0 hover:bg-hover ${columns}`}
              >
                <Cells {...props} project={project} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** The columns that the list can be sorted by, after the name. */
const heads = [
  ['status', 'Status', ''],
  ['requests', 'Requests, 1 h', ''],
  ['size', 'Size', 'max-lg:hidden'],
  ['used', 'Last request', 'max-lg:hidden'],
  ['created', 'Created', 'max-lg:hidden'],
] as const;

function Cells({
  project,
  usages,
  isUsageWaiting,
  showsOrganization,
  onOpen,
  onDelete,
}: ProjectsViewProps & { readonly project: Project }): ReactNode {
  const usage = { of: usages.get(project.ref), isWaiting: isUsageWaiting };
  return (
    <>
      <div role="cell" className="min-w-0">
        <ProjectLink project={project} />
        <p className="truncate font-mono text-[12px] text-soft">{project.ref}</p>
      </div>
      {showsOrganization && (
        <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
          {project.organizationName}
        </div>
      )}
      <div
        role="cell"
        className="flex items-center gap-3 max-sm:order-last max-sm:col-span-2 max-sm:-mt-3"
      >
        <Status of={project} />
        <span className="text-soft sm:hidden">
          <Requests {...usage} />
        </span>
      </div>
      <div role="cell" className="text-soft max-sm:hidden">
        <Requests {...usage} />
      </div>
      <div role="cell" className="text-[14px] text-soft tabular-nums max-lg:hidden">
        <Size {...usage} />
      </div>
      <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
        <LastRequest {...usage} />
      </div>
      <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
        <Moment of={project} />
      </div>
      <div role="cell">
        <ProjectMenu
          project={project}
          onOpen={() => onOpen(project)}
          onDelete={() => onDelete(project)}
        />
      </div>
    </>
  );
}

/** The name of a project, which leads to its home. */
export function ProjectLink({ project }: { readonly project: Project }): ReactNode {
  return (
    <Link
      to="/projects/$ref"
      params={{ ref: project.ref }}
      data-project={project.ref}
      title={project.name}
      className="block truncate rounded-sm font-medium hover:underline"
    >
      {project.name}
    </Link>
  );
}

interface HeadProps {
  readonly field: SortField;
  readonly search: ProjectsSearch;
  readonly onSort: (field: SortField) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

function Head({ field, search, onSort, className = '', children }: HeadProps): ReactNode {
  const isSorted = (search.sort ?? 'name') === field;
  const isDescending = (search.reversed === true) !== startsHigh.has(field);
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return (
    <span
      role="columnheader"
      className={className}
      {...(isSorted && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
    >
      <button
        type="button"
        onClick={() => onSort(field)}
        className={`inline-flex items-center gap-1 rounded-sm hover:text-ink ${isSorted ? 'text-ink' : ''}`}
      >
        {children}
        {isSorted && <Arrow aria-hidden className="size-3.5" />}
      </button>
    </span>
  );
}

/** The arrow keys go from name to name. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || !(target instanceof HTMLElement) || !target.dataset['project']) return;
  const names = [...currentTarget.querySelectorAll<HTMLElement>('[data-project]')];
  const byPlace = names.toSorted(
    (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
  );
  event.preventDefault();
  byPlace[byPlace.indexOf(target) + step]?.focus();
}
