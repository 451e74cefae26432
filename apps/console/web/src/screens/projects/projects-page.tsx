import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { clockTime } from '../../ui/time-in-words.js';
import { NoMatch, NoProjects, WaitingRows } from './empty.js';
import { Filters } from './filters.js';
import { ProjectGrid } from './project-grid.js';
import { ProjectList } from './project-list.js';
import { type Organization, organizationsQuery, type Project, projectsQuery } from './queries.js';
import { hasStatus, isAll, type ProjectsSearch, select, type SortField } from './search.js';
import { noUsages, usagesQuery } from './usage.js';

const CreateDialog = lazy(() => import('./create-dialog.js'));
const DeleteDialog = lazy(() => import('./delete-dialog.js'));
const ProjectPanel = lazy(() => import('./project-panel.js'));

const noProjects: readonly Project[] = [];
const noOrganizations: readonly Organization[] = [];

/** All projects of the operator. */
export function ProjectsPage(): ReactNode {
  useTitle('Projects');
  const search = useSearch({ from: '/signed-in/projects' });
  const setSearch = useSetSearch();
  const { data, error, dataUpdatedAt, refetch } = useQuery(projectsQuery);
  const { data: known, error: organizationsError } = useQuery(organizationsQuery);
  const organizations = known ?? noOrganizations;
  const { data: usages = noUsages, isPending: isUsageWaiting } = useQuery(usagesQuery);
  const [deleting, setDeleting] = useState<Project>();
  const projects = data ?? noProjects;
  const shown = useMemo(() => select(projects, search, usages), [projects, search, usages]);
  const mayCreate = organizations.some(({ capabilities }) =>
    capabilities.includes('projects.manage'),
  );
  const create = (): void => setSearch({ dialog: 'create' });
  const View = search.view === 'grid' ? ProjectGrid : ProjectList;
  const opened = projects.find(({ ref }) => ref === search.open);
  const hasDeleted = projects.some((project) => hasStatus(project, 'deleted'));
  const isEmpty =
    data !== undefined && (data.length === 0 || (isAll(search) && shown.length === 0));
  return (
    <>
      <header className="flex items-center gap-x-3 pb-5">
        <div className="mr-auto flex gap-x-3 max-sm:flex-col sm:items-baseline">
          <h1 className="text-[22px] leading-tight font-semibold">Projects</h1>
          <p role="status" className="text-[14px] text-soft">
            {data ? isEmpty || counted(shown.length, 'project') : <Skeleton className="w-20" />}
          </p>
        </div>
        <CopyButton
          text={curlOf({ path: '/platform/projects?limit=1000' })}
          what="as curl: this list"
        >
          Copy as curl
        </CopyButton>
        {(mayCreate || (!known && !organizationsError)) && (
          // Its place is kept until it is known whether it is offered.
          <Button look="primary" onClick={create} className={mayCreate ? '' : 'invisible'}>
            <Plus aria-hidden className="size-4" />
            New project
          </Button>
        )}
      </header>
      {(!isEmpty || hasDeleted) && (
        <Filters
          search={search}
          projects={projects}
          organizations={organizations}
          onChange={setSearch}
        />
      )}
      {error && data && (
        <div className="pb-4">
          <ProblemNotice
            of={error}
            effect={`The list could not be refreshed. It shows the state of ${clockTime(dataUpdatedAt)}.`}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {error && !data && <ProblemNotice of={error} onRetry={() => void refetch()} />}
      {isEmpty && !known && <ProblemNotice of={organizationsError} />}
      {((!data && !error) || (isEmpty && !known && !organizationsError)) && <WaitingRows />}
      {isEmpty && known && (
        <NoProjects
          {...(mayCreate && { onCreate: create })}
          {...(hasDeleted && { onShowDeleted: () => setSearch({ status: 'deleted' }) })}
        />
      )}
      {data && !isEmpty && shown.length === 0 && (
        <NoMatch
          search={search}
          onClear={() => setSearch({ q: undefined, status: undefined, organization: undefined })}
        />
      )}
      {shown.length > 0 && (
        <View
          projects={shown}
          search={search}
          usages={usages}
          isUsageWaiting={isUsageWaiting}
          showsOrganization={organizations.length > 1}
          onSort={(field) => setSearch(sortBy(search, field))}
          onOpen={(project) => setSearch({ open: project.ref })}
          onDelete={setDeleting}
        />
      )}
      <Suspense>
        {search.dialog === 'create' && mayCreate && (
          <CreateDialog
            organizations={organizations}
            onClose={() => setSearch({ dialog: undefined })}
          />
        )}
        {opened && !deleting && (
          <ProjectPanel
            project={opened}
            onDelete={() => setDeleting(opened)}
            onClose={() => setSearch({ open: undefined })}
          />
        )}
        {deleting && <DeleteDialog project={deleting} onClose={() => setDeleting(undefined)} />}
      </Suspense>
    </>
  );
}

/** Changes some parameters of the address. Typing in the search field makes no history. */
function useSetSearch(): (change: ProjectsSearch) => void {
  const navigate = useNavigate({ from: '/projects' });
  return (change) => {
    const isTyping = 'q' in change && Object.keys(change).length === 1;
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: isTyping,
      resetScroll: false,
    });
  };
}

/** The same field again reverses its order. */
function sortBy({ sort = 'name', reversed }: ProjectsSearch, field: SortField): ProjectsSearch {
  const isSame = sort === field;
  return {
    sort: field === 'name' ? undefined : field,
    reversed: isSame && reversed !== true ? true : undefined,
  };
}
