import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';
import { readSearch } from './search.js';

export const tablesRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/tables',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./tables-page.js'), 'TablesPage'),
});
