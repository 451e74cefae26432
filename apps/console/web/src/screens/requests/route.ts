import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';

export const requestsRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/requests',
  // The page reads the address itself (search.ts), which keeps that out of the first load.
  validateSearch: (given: Record<string, unknown>) => given,
  component: lazyRouteComponent(() => import('./requests-page.js'), 'RequestsPage'),
});
