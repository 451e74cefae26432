import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';

export const apiRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/api',
  // search.ts reads it: with it, the first load of the console would be larger.
  validateSearch: (given: Record<string, unknown>) => given,
  component: lazyRouteComponent(() => import('./api-page.js'), 'ApiPage'),
});
