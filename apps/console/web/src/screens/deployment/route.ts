import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { signedInRoute } from '../../shell/root-route.js';
import type { DeploymentSearch } from './parameters.js';

export const deploymentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/deployment',
  validateSearch: (given: DeploymentSearch) => given,
  component: lazyRouteComponent(() => import('./deployment-page.js'), 'DeploymentPage'),
});
