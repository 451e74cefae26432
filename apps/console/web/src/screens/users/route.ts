import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';
import { readSearch } from './search.js';

export const usersRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/users',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./users-page.js'), 'UsersPage'),
});
