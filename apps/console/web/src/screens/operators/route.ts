import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { signedInRoute } from '../../shell/root-route.js';

export const operatorsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operators',
  // The page reads the address itself (search.ts), which keeps that out of the first load.
  validateSearch: (given: Record<string, unknown>) => given,
  component: lazyRouteComponent(() => import('./operators-page.js'), 'OperatorsPage'),
});
