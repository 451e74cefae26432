import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';

import { isStudio, studioRef } from '../../api/place.js';
import { signedInRoute } from '../../shell/root-route.js';
import { organizationsQuery, projectsQuery } from './queries.js';
import { readSearch } from './search.js';
import { usagesQuery } from './usage.js';

export const projectsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects',
  validateSearch: readSearch,
  // Also before the pointer on a link to this screen begins to load it.
  beforeLoad: () => {
    if (isStudio()) throw redirect({ to: '/projects/$ref', params: { ref: studioRef } });
  },
  // Begun beside the code of the screen, and not awaited: the screen shows where its rows will be.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(projectsQuery);
    void queryClient.prefetchQuery(organizationsQuery);
    void queryClient.prefetchQuery(usagesQuery);
  },
  component: lazyRouteComponent(() => import('./projects-page.js'), 'ProjectsPage'),
});
