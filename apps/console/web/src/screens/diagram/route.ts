import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';

export const diagramRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/diagram',
  // search.ts reads it: with it, the first load of the console would be larger.
  validateSearch: (given: Record<string, unknown>) => given,
  component: lazyRouteComponent(() => import('./diagram-page.js'), 'DiagramPage'),
});
