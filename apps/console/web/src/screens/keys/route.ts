import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';

export const keysRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys-page.js'), 'KeysPage'),
});
