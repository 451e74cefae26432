import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';
import { readSearch } from './search.js';

export const policiesRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/policies',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./policies-page.js'), 'PoliciesPage'),
});
