import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { signedInRoute } from '../../shell/root-route.js';

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account-page.js'), 'AccountPage'),
});
