import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { signedInRoute } from '../../shell/root-route.js';
import { projectLayoutRoute } from '../project/layout-route.js';

/** The pages read the address themselves (search.ts), which keeps that out of the first load. */
const validateSearch = (given: Record<string, unknown>) => given;

export const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audit',
  validateSearch,
  component: lazyRouteComponent(() => import('./audit-pages.js'), 'AuditPage'),
});

export const projectAuditRoute = createRoute({
  getParentRoute: () => projectLayoutRoute,
  path: '/audit',
  validateSearch,
  component: lazyRouteComponent(() => import('./audit-pages.js'), 'ProjectAuditPage'),
});
