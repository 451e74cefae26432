import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { isStudio } from '../../api/place.js';
import { projectLayoutRoute } from './layout-route.js';
import { spans, type Span } from './spans.js';

/** What the address of a project says. */
export interface ProjectSearch {
  /** The time that the figures of usage cover: a day unless it is given. */
  readonly over?: Span | undefined;
  readonly dialog?: 'connect' | undefined;
}

export const projectRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/',
  validateSearch: (given: Record<string, unknown>): ProjectSearch => ({
    over: spans.find((span) => span === given['over'] && span !== 'day'),
    dialog: given['dialog'] === 'connect' ? 'connect' : undefined,
  }),
  // The home in the console is about the platform, too.
  component: isStudio()
    ? lazyRouteComponent(() => import('../studio/studio-page.js'), 'StudioPage')
    : lazyRouteComponent(() => import('./project-page.js'), 'ProjectPage'),
});
