import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { signedInRoute } from '../../shell/root-route.js';
import { projectQuery } from '../projects/queries.js';

/** The parent of the screens of one project. Its screens are listed in sections.ts. */
export const projectLayoutRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$ref',
  loader: ({ context: { queryClient }, params: { ref } }) => {
    void queryClient.prefetchQuery(projectQuery(ref));
  },
  component: lazyRouteComponent(() => import('./project-layout.js'), 'ProjectLayout'),
});
