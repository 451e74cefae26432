import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { projectLayoutRoute } from '../project/layout-route.js';
import { readStructureSearch } from './search.js';

export const structureRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/structure',
  validateSearch: readStructureSearch,
  component: lazyRouteComponent(() => import('./structure-page.js'), 'StructurePage'),
});
