import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import { isStudio } from '../../api/place.js';
import { asProblem } from '../../api/problem.js';
import { refreshMs } from '../../api/refresh.js';
import { currentSession } from '../../session/session.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { showToast } from '../../ui/toast.js';
import { projectQuery } from '../projects/queries.js';
import { KeptOfProject, KeptProvider } from './kept.js';
import type { ProjectDetails } from './project-details.js';
import { offeredSections } from './sections.js';
import { ProjectProvider } from './use-project.js';

/** What surrounds the screens of a project: the way back to the projects, of which the studio has none, and the way from screen to screen. */
export function ProjectLayout(): ReactNode {
  const { ref } = useParams({ from: '/signed-in/projects/$ref' });
  const { data: project, error } = useQuery({
    ...projectQuery(ref),
    refetchInterval: refreshMs,
  });
  const isGone = error !== null && asProblem(error).status === 404;
  return (
    <>
      {!isStudio() && (
        <nav aria-label="Way back" className="flex items-center gap-1 pb-2 text-[14px] text-soft">
          <Link to="/projects" className="rounded-sm hover:text-ink hover:underline">
            Projects
          </Link>
          <ChevronRight aria-hidden className="size-3.5" />
          <span className="truncate">{project?.name ?? ref}</span>
        </nav>
      )}
      {project && !isGone && <Screens key={ref} of={project} />}
      {(!project || isGone) && <ProblemNotice of={error} />}
      {!project && !error && <Waiting />}
    </>
  );
}

function Screens({ of: project }: { readonly of: ProjectDetails }): ReactNode {
  const { ref, capabilities } = project;
  const navigation = useRef<HTMLElement>(null);
  useShowCurrent(navigation);
  const kept = useKeptOfProject();
  const offered = offeredSections(capabilities);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 lg:grid-cols-[11rem_minmax(0,1fr)]">
      {offered.length > 1 && (
        <nav
          ref={navigation}
          aria-label="Screens of the project"
          className="mb-4 flex gap-1 overflow-x-auto border-b border-line pb-2 lg:sticky lg:top-18 lg:mb-0 lg:flex-col lg:self-start lg:border-0 lg:pb-0"
        >
          {offered.map(({ name, to, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              params={{ ref }}
              activeOptions={{ exact: to === '/projects/$ref', includeSearch: false }}
              className="flex h-9 shrink-0 items-center gap-2.5 rounded-md px-2.5 text-[14px] font-medium text-soft -outline-offset-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {name}
            </Link>
          ))}
        </nav>
      )}
      <div className={`min-w-0 ${offered.length > 1 ? '' : 'lg:col-span-2'}`}>
        <ProjectProvider value={project}>
          <KeptProvider value={kept}>
            <Outlet />
          </KeptProvider>
        </ProjectProvider>
      </div>
    </div>
  );
}

/** What the screens of a project keep open until the project is left; a message says that it has ended. */
function useKeptOfProject(): KeptOfProject {
  const [kept] = useState(() => new KeptOfProject());
  useEffect(
    () => () => {
      const left = kept.close();
      if (left === 0 || !currentSession()) return;
      const text = `${counted(left, 'listener')} of Realtime ended with the project.`;
      showToast({ kind: 'done', text });
    },
    [kept],
  );
  return kept;
}

/** Moves the link of the open screen into sight: on a phone the row of links is wider than the page. */
function useShowCurrent(navigation: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    const row = navigation.current;
    const link = row?.querySelector('[aria-current=page]');
    if (!row || !link) return;
    const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
    row.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }, [navigation, pathname]);
}

function Waiting(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-5">
      <Skeleton className="my-3 w-48" />
      <div className="h-16 rounded-md border border-line bg-surface" />
      <div className="h-80 rounded-lg border border-line bg-surface" />
    </div>
  );
}
