import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';
import { readSearch } from './search.js';

export const realtimeRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/realtime',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./realtime-page.js'), 'RealtimePage'),
});
